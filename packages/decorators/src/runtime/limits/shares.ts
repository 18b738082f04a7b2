/** Reason why an amount cannot be taken: `all` if too little is left in total, `own` if the principal has reached its share. */
export type Shortage = 'all' | 'own';

/**
 * Divides a limited quantity between principals. A principal may hold at most as much as remains free, so a single
 * principal gets half of the total. A principal that holds nothing yet may take the whole rest. Without a principal,
 * only the total limit applies.
 */
export class Shares {
  /** Total limit. */
  readonly max: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Total amount that is taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Returns the amount that a principal holds. */
  heldBy(principal: string): number {
    return this.#held.get(principal) ?? 0;
  }

  /** Returns the reason why an amount cannot be taken, or `undefined` if it can. */
  shortage(principal: string | undefined, amount = 1): Shortage | undefined {
    const left = this.max - this.#taken;
    if (amount > left) return 'all';
    if (principal === undefined) return undefined;
    const held = this.heldBy(principal);
    return held > 0 && held + amount > left - amount ? 'own' : undefined;
  }

  /** Whether a principal holds more than remains free, or the total exceeds the limit. */
  isExceeded(principal: string | undefined): boolean {
    const left = this.max - this.#taken;
    return left < 0 || (principal !== undefined && this.heldBy(principal) > left);
  }

  /** Takes an amount without checking for a shortage. */
  take(principal: string | undefined, amount = 1): void {
    this.#taken += amount;
    if (principal !== undefined) this.#held.set(principal, this.heldBy(principal) + amount);
  }

  /** Returns an amount to the total. */
  giveBack(principal: string | undefined, amount = 1): void {
    this.#taken -= amount;
    if (principal === undefined) return;
    const held = this.heldBy(principal) - amount;
    if (held > 0) this.#held.set(principal, held);
    else this.#held.delete(principal);
  }
}
