/** Tracks how many bytes remain in a result. Once an item does not fit, every later item is rejected as well. */
export class ResultBudget {
  #left: number;
  #isEmpty = true;

  /** @param bytes maximum number of bytes of the items as JSON */
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
