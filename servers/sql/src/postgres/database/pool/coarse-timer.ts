/** Interval of the checks. A timer expires at most about this time too late. */
const TICK_MS = 50;

const waiting = new Set<CoarseTimer>();
let ticker: NodeJS.Timeout | undefined;

/**
 * Timer for timeouts that rarely expire; fires at most about 50 ms late. All instances share one interval, because creating and
 * clearing a timer in every call takes measurable time. The timer does not keep the process running.
 */
export class CoarseTimer implements Disposable {
  readonly #due: number;
  readonly #callback: () => void;

  constructor(milliseconds: number, ring: () => void) {
    this.#due = performance.now() + milliseconds;
    this.#callback = ring;
    waiting.add(this);
    ticker ??= setInterval(tick, TICK_MS).unref();
  }

  /** Calls the callback if the timer has expired. */
  check(now: number): void {
    if (now < this.#due) return;
    waiting.delete(this);
    this.#callback();
  }

  [Symbol.dispose](): void {
    waiting.delete(this);
  }
}

function tick(): void {
  const now = performance.now();
  for (const alarm of waiting) alarm.check(now);
  if (waiting.size > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}
