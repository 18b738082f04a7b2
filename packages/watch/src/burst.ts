/** As many events in a window may have overflowed the system's queue. */
const MANY = 1000;

const WINDOW = 1000;

/** Notices bursts of events: a queue that overflowed on Linux loses events, and `fs.watch` does not tell. */
export class Burst {
  readonly #over: () => void;
  #events = 0;
  #window: NodeJS.Timeout | undefined;

  /** @param over called up to a second after each burst */
  constructor(over: () => void) {
    this.#over = over;
  }

  count(): void {
    this.#events++;
    this.#window ??= setTimeout(() => this.#end(), WINDOW).unref();
  }

  stop(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    this.#events = 0;
  }

  #end(): void {
    const isBurst = this.#events >= MANY;
    this.stop();
    if (isBurst) this.#over();
  }
}
