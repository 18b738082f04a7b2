/** Most that an alarm is late. */
const TICK_MS = 50;

const waiting = new Set<Alarm>();
let ticker: NodeJS.Timeout | undefined;

/**
 * Calls back once so many milliseconds have passed, and up to 50 more, unless it is disposed of by then; the process does not wait
 * for it. For what seldom comes to pass: a timer would be made and cleared again in every call, at a cost that can be measured.
 */
export class Alarm implements Disposable {
  readonly #due: number;
  readonly #ring: () => void;

  constructor(milliseconds: number, ring: () => void) {
    this.#due = performance.now() + milliseconds;
    this.#ring = ring;
    waiting.add(this);
    ticker ??= setInterval(tick, TICK_MS).unref();
  }

  /** Calls back if it is time. */
  check(now: number): void {
    if (now < this.#due) return;
    waiting.delete(this);
    this.#ring();
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
