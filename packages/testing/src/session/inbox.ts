/** Received items of one kind, in the order of their arrival. */
export interface Received<Item> {
  /** All items received so far; the list grows. */
  readonly all: readonly Item[];
  /**
   * Resolves with the next item that no earlier call has consumed, or with the next such item for which `matches` returns true.
   * Resolves at once if the item has already arrived. Rejects if no further item can arrive.
   */
  next(matches?: (item: Item) => boolean): Promise<Item>;
}

/** Collects items and lets tests wait for them. */
export class Inbox<Item> implements Received<Item> {
  readonly #kind: string;
  readonly #items: Item[] = [];
  #consumed = 0;
  #ended = false;
  readonly #waiting: (() => void)[] = [];

  /** @param kind name of an item in messages, such as `progress report` */
  constructor(kind: string) {
    this.#kind = kind;
  }

  get all(): readonly Item[] {
    return this.#items;
  }

  async next(matches: (item: Item) => boolean = () => true): Promise<Item> {
    for (;;) {
      for (const item of this.#items.slice(this.#consumed)) {
        this.#consumed += 1;
        if (matches(item)) return item;
      }
      if (this.#ended) throw new Error(`no further ${this.#kind} can arrive; ${this.#items.length} arrived`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Adds a received item. */
  add(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  /** Marks the end: no further item can arrive. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
