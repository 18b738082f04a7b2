/** Of many items the first so many in an order, in memory for twice as many. */
export class Foremost<Item> {
  readonly #wanted: number;
  readonly #compare: (one: Item, other: Item) => number;
  readonly #onDropped: (item: Item) => void;
  readonly #kept: Item[] = [];
  #last: Item | undefined;

  /** @param onDropped told of each item that is none of them */
  constructor(wanted: number, compare: (one: Item, other: Item) => number, onDropped: (item: Item) => void = () => undefined) {
    this.#wanted = wanted;
    this.#compare = compare;
    this.#onDropped = onDropped;
  }

  add(item: Item): void {
    if (this.#last !== undefined && this.#compare(this.#last, item) < 0) this.#onDropped(item);
    else if (this.#kept.push(item) >= 2 * this.#wanted) this.#cut();
  }

  /** Those that were added, in their order. */
  sorted(): readonly Item[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort(this.#compare);
    for (const dropped of this.#kept.splice(this.#wanted)) this.#onDropped(dropped);
    if (this.#kept.length === this.#wanted) this.#last = this.#kept.at(-1);
  }
}
