/** What has come of one kind, in the order of its arrival. */
export interface Received<Item> {
  /** Everything so far; it grows. */
  readonly all: readonly Item[];
  /**
   * Resolves with the next item that no call before went past, or with the next of those that satisfies `matches`; at once if
   * it is there already. Rejects if no more can come.
   */
  next(matches?: (item: Item) => boolean): Promise<Item>;
}

/** Where items arrive. */
export class Inbox<Item> implements Received<Item> {
  readonly #kind: string;
  readonly #items: Item[] = [];
  #passed = 0;
  #ended = false;
  readonly #waiting: (() => void)[] = [];

  /** `kind` is what an item is called in messages: `progress report`. */
  constructor(kind: string) {
    this.#kind = kind;
  }

  get all(): readonly Item[] {
    return this.#items;
  }

  async next(matches: (item: Item) => boolean = () => true): Promise<Item> {
    for (;;) {
      for (const item of this.#items.slice(this.#passed)) {
        this.#passed += 1;
        if (matches(item)) return item;
      }
      if (this.#ended) throw new Error(`no other ${this.#kind} came; there were ${this.#items.length}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Adds what came. */
  add(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  /** Nothing comes any more. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
