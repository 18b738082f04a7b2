/** Keeps the k smallest items of a stream. Holds at most 2k items in memory. */
export class TopK<Item> {
  readonly #k: number;
  readonly #compare: (one: Item, other: Item) => number;
  readonly #onDropped: (item: Item) => void;
  readonly #kept: Item[] = [];
  #last: Item | undefined;

  /** @param onDropped called for each item that is not among the k smallest */
  constructor(k: number, compare: (one: Item, other: Item) => number, onDropped: (item: Item) => void = () => undefined) {
    this.#k = k;
    this.#compare = compare;
    this.#onDropped = onDropped;
  }

  add(item: Item): void {
    if (this.#last !== undefined && this.#compare(this.#last, item) < 0) this.#onDropped(item);
    else if (this.#kept.push(item) >= 2 * this.#k) this.#cut();
  }

  /** Returns the k smallest items in order. */
  sorted(): readonly Item[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort(this.#compare);
    for (const dropped of this.#kept.splice(this.#k)) this.#onDropped(dropped);
    if (this.#kept.length === this.#k) this.#last = this.#kept.at(-1);
  }
}
