/** Bytes for what surrounds a body or the items of a page: notes, totals, the cursor. */
const AROUND = 512;

/** Returns how many bytes of a result are left for its body or its items. */
export function roomIn(maxBytes: number): number {
  return maxBytes - Math.min(AROUND, Math.floor(maxBytes / 4));
}

/** The bytes that are left in a result. After the first item that does not fit, no item fits. */
export class ResultBudget {
  #left: number;
  #isEmpty = true;

  /** @param bytes of JSON */
  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Subtracts an item and returns whether it fits. The first item always fits, so that no page is empty. */
  take(item: unknown): boolean {
    this.#left -= Buffer.byteLength(JSON.stringify(item)) + 1;
    const fits = this.#left >= 0 || this.#isEmpty;
    this.#isEmpty = false;
    return fits;
  }
}
