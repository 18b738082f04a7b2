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
