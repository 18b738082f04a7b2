/** As many messages may wait, each said once; a lost connection must not cost memory for as long as it lasts. */
const MAX_WAITING = 1000;

/** What a process has to tell as soon as it can: past the limit, only that it is too much to tell. */
export class Outbox {
  readonly #tooMuch: string;
  readonly #waiting = new Set<string>();

  /** `tooMuch` stands for all messages that were dropped. */
  constructor(tooMuch: string) {
    this.#tooMuch = tooMuch;
  }

  add(message: string): void {
    if (this.#waiting.has(this.#tooMuch)) return;
    if (this.#waiting.size >= MAX_WAITING) {
      this.#waiting.clear();
      this.#waiting.add(this.#tooMuch);
    } else this.#waiting.add(message);
  }

  /** The oldest that wait, which then wait no longer. */
  take(count: number): readonly string[] {
    const taken = [...this.#waiting].slice(0, count);
    for (const message of taken) this.#waiting.delete(message);
    return taken;
  }
}
