/** Characters of the texts of which something is kept. */
const KEPT = 32_768;

/** What was found out of texts, by itself; that of the latest is kept, for many are sent again. */
export class RecentTexts<Found> {
  readonly #find: (text: string) => Promise<Found>;
  /** The latest comes last. */
  readonly #found = new Map<string, Found>();
  #kept = 0;

  constructor(find: (text: string) => Promise<Found>) {
    this.#find = find;
  }

  /** What is kept of a text. */
  known(text: string): Found | undefined {
    const found = this.#found.get(text);
    if (found === undefined) return undefined;
    this.#found.delete(text);
    this.#found.set(text, found);
    return found;
  }

  /** What it throws is found out anew each time. */
  async of(text: string): Promise<Found> {
    const known = this.known(text);
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
