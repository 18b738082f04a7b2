/** What one confirm_token is told from another by. */
export interface TokenFacts {
  /** Nobody else's. */
  readonly id: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt: number;
}

/** At a hundred bytes each, about 1 MB. */
const MAX_SPENT = 10_000;

/**
 * Tokens that confirmed something, as long as they could again. More than `limit` are not remembered: what is as old as one that was
 * forgotten counts as spent, too. Another process knows nothing of them: behind a balancer a token may confirm once in each.
 */
export class SpentTokens {
  readonly #lifetimeMs: number;
  readonly #limit: number;
  /** When they were made, in the order in which they were spent. */
  readonly #spent = new Map<string, number>();
  /** What was made until then may have been spent. */
  #forgottenUntil = 0;

  constructor(lifetimeMs: number, limit: number = MAX_SPENT) {
    this.#lifetimeMs = lifetimeMs;
    this.#limit = limit;
  }

  /** Spends a token; `false` if it was spent before, or may have been. */
  spend({ id, madeAt }: TokenFacts): boolean {
    if (madeAt <= this.#forgottenUntil || this.#spent.has(id)) return false;
    this.#spent.set(id, madeAt);
    if (this.#spent.size > this.#limit) this.#forget();
    return true;
  }

  #forget(): void {
    const expired = Date.now() - this.#lifetimeMs;
    for (const [id, madeAt] of this.#spent) if (madeAt < expired) this.#spent.delete(id);
    const [oldest] = this.#spent;
    if (oldest === undefined || this.#spent.size <= this.#limit) return;
    this.#spent.delete(oldest[0]);
    this.#forgottenUntil = Math.max(this.#forgottenUntil, oldest[1]);
  }
}
