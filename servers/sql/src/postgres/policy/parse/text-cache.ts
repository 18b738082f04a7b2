/** Maximum total length of the cached texts, in characters. */
const KEPT = 32_768;

/** LRU cache of results that depend only on a text. Callers often send the same text again. */
export class TextCache<Found> {
  readonly #find: (text: string) => Promise<Found>;
  /** Results in order of use, the latest last. */
  readonly #found = new Map<string, Found>();
  #kept = 0;

  constructor(find: (text: string) => Promise<Found>) {
    this.#find = find;
  }

  /** Returns the cached result for a text, or `undefined`. */
  getCached(text: string): Found | undefined {
    const found = this.#found.get(text);
    if (found === undefined) return undefined;
    this.#found.delete(text);
    this.#found.set(text, found);
    return found;
  }

  /**
   * Returns the cached result for a text, or computes the result. Errors, and results for texts longer than an eighth of `KEPT`,
   * are not cached.
   */
  async getOrCompute(text: string): Promise<Found> {
    const known = this.getCached(text);
    if (known !== undefined) return known;
    const found = await this.#find(text);
    this.#forget(text);
    if (text.length <= KEPT / 8) this.#keep(text, found);
    return found;
  }

  #keep(text: string, found: Found): void {
    this.#found.set(text, found);
    this.#kept += text.length;
    for (const [oldest] of this.#found) {
      if (this.#kept <= KEPT) return;
      this.#forget(oldest);
    }
  }

  #forget(text: string): void {
    if (this.#found.delete(text)) this.#kept -= text.length;
  }
}
