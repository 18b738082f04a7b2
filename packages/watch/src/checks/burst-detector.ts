/** Minimum number of events in one window that counts as a burst, because the queue of the system may have overflowed. */
const MIN_EVENTS = 1000;

const WINDOW_MS = 1000;

/** Detects bursts of events. On Linux, a queue that overflows loses events, and `fs.watch` does not report the loss. */
export class BurstDetector {
  readonly #over: () => void;
  #events = 0;
  #window: NodeJS.Timeout | undefined;

  /** @param over called at the end of each window of one second that contains a burst */
  constructor(over: () => void) {
    this.#over = over;
  }

  count(): void {
    this.#events++;
    this.#window ??= setTimeout(() => this.#end(), WINDOW_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    this.#events = 0;
  }

  #end(): void {
    const isBurst = this.#events >= MIN_EVENTS;
    this.stop();
    if (isBurst) this.#over();
  }
}
