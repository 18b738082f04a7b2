/** Why something cannot be taken: nothing is left for anybody, or no more for this principal. */
export type Shortage = 'all' | 'own';

/**
 * Divides a limited quantity between principals: a principal takes no more than it leaves for the others, so that one alone gets half.
 * A principal that holds nothing yet may take whatever is left. Without a principal only the limit itself counts.
 */
export class Shares {
  /** The limit. */
  readonly max: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** How much all hold together. */
  get taken(): number {
    return this.#taken;
  }

  /** How much a principal holds. */
  heldBy(principal: string): number {
    return this.#held.get(principal) ?? 0;
  }

  /** Why an amount cannot be taken; `undefined` if it can. */
  shortage(principal: string | undefined, amount = 1): Shortage | undefined {
    const left = this.max - this.#taken;
    if (amount > left) return 'all';
    if (principal === undefined) return undefined;
    const held = this.heldBy(principal);
    return held > 0 && held + amount > left - amount ? 'own' : undefined;
  }

  /** Whether a principal holds more than is left for the others, or all together more than there is. */
  isExceeded(principal: string | undefined): boolean {
    const left = this.max - this.#taken;
    return left < 0 || (principal !== undefined && this.heldBy(principal) > left);
  }

  /** Takes an amount, whether or not there is a shortage. */
  take(principal: string | undefined, amount = 1): void {
    this.#taken += amount;
    if (principal !== undefined) this.#held.set(principal, this.heldBy(principal) + amount);
  }

  /** Gives an amount back. */
  giveBack(principal: string | undefined, amount = 1): void {
    this.#taken -= amount;
    if (principal === undefined) return;
    const held = this.heldBy(principal) - amount;
    if (held > 0) this.#held.set(principal, held);
    else this.#held.delete(principal);
  }
}
