import { setImmediate } from 'node:timers/promises';

/** Milliseconds for which hints are gathered before anything is looked at, and in which nothing is announced twice. */
const WINDOW = 75;

/** Milliseconds for which looking may keep the process from everything else. */
const SLICE = 5;

/** What is looked at. */
interface Looked {
  /** When it was last announced, by `performance.now()`. */
  readonly announced: number;
  check(): unknown;
}

/**
 * Looks at what hints were given of: at each of them once, 75 ms after the first hint or after the round before. What was announced
 * since then waits for the next round.
 */
export class Rounds {
  readonly #due = new Set<Looked>();
  #window: NodeJS.Timeout | undefined;
  #isRunning = false;

  add(looked: Looked): void {
    this.#due.add(looked);
    this.#open();
  }

  remove(looked: Looked): void {
    this.#due.delete(looked);
    if (this.#due.size > 0) return;
    clearTimeout(this.#window);
    this.#window = undefined;
  }

  #open(): void {
    if (!this.#isRunning) this.#window ??= setTimeout(() => void this.#run(), WINDOW).unref();
  }

  async #run(): Promise<void> {
    this.#window = undefined;
    this.#isRunning = true;
    const due = [...this.#due];
    this.#due.clear();
    let began = performance.now();
    for (const looked of due) {
      if (performance.now() - looked.announced < WINDOW) this.#due.add(looked);
      else looked.check();
      if (performance.now() - began < SLICE) continue;
      await setImmediate();
      began = performance.now();
    }
    this.#isRunning = false;
    if (this.#due.size > 0) this.#open();
  }
}
