import { setImmediate } from 'node:timers/promises';

/** Milliseconds for which hints are gathered before a round. A resource is announced at most once within this time. */
const WINDOW_MS = 75;

/** Milliseconds of checks after which other work of the process gets a turn. */
const SLICE_MS = 5;

/** A resource that can be checked. */
interface Checked {
  /** Time of the last announcement of a change of the resource, by `performance.now()`. */
  readonly announced: number;
  check(): unknown;
}

/**
 * Checks every hinted resource once per round. A round starts 75 ms after the first hint or after the previous round. A
 * resource that was announced less than 75 ms ago waits for the next round.
 */
export class CheckRounds {
  readonly #due = new Set<Checked>();
  #window: NodeJS.Timeout | undefined;
  #isRunning = false;

  add(checked: Checked): void {
    this.#due.add(checked);
    this.#open();
  }

  remove(checked: Checked): void {
    this.#due.delete(checked);
    if (this.#due.size > 0) return;
    clearTimeout(this.#window);
    this.#window = undefined;
  }

  #open(): void {
    if (!this.#isRunning) this.#window ??= setTimeout(() => void this.#run(), WINDOW_MS).unref();
  }

  async #run(): Promise<void> {
    this.#window = undefined;
    this.#isRunning = true;
    const due = [...this.#due];
    this.#due.clear();
    let began = performance.now();
    for (const checked of due) {
      if (performance.now() - checked.announced < WINDOW_MS) this.#due.add(checked);
      else checked.check();
      if (performance.now() - began < SLICE_MS) continue;
      await setImmediate();
      began = performance.now();
    }
    this.#isRunning = false;
    if (this.#due.size > 0) this.#open();
  }
}
