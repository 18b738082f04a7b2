import type { Patience } from './patience.ts';

/** Lets calls of this process pass one after the other, by name, in the order they came. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when it is one's turn, to what ends it. */
  async take(name: string, patience: Patience): Promise<() => void> {
    const before = this.#last.get(name) ?? Promise.resolve();
    let end = (): void => undefined;
    const own = new Promise<void>((resolve) => (end = resolve));
    const last = before.then(() => own);
    this.#last.set(name, last);
    void last.then(() => this.#last.get(name) === last && this.#last.delete(name));
    try {
      await patience.until(before);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }
}
