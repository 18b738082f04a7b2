import type { Received } from '@org/mcp-testing';

/** Collects items in the order of their arrival, and lets a test wait for the next one. */
export class Inbox<Item> implements Received<Item> {
  readonly #items: Item[] = [];
  #passed = 0;
  readonly #waiting: (() => void)[] = [];

  get all(): readonly Item[] {
    return this.#items;
  }

  async next(matches: (item: Item) => boolean = () => true): Promise<Item> {
    for (;;) {
      for (const item of this.#items.slice(this.#passed)) {
        this.#passed += 1;
        if (matches(item)) return item;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  add(item: Item): void {
    this.#items.push(item);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
