import { ToolError } from '../../results/tool-error.ts';

/** Time limit of one call. The signal is aborted when the client cancels and when the time is over. */
export class Deadline implements Disposable {
  /** Aborted with a `ToolError` TIMEOUT when the time is over. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #cancelled: AbortSignal;
  readonly #expire: () => void;
  #leftMs: number;
  #started = 0;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(cancelled: AbortSignal, timeoutMs: number, what: string) {
    this.#cancelled = cancelled;
    this.#leftMs = timeoutMs;
    this.signal = this.#controller.signal;
    this.#expire = () => this.#controller.abort(new ToolError('TIMEOUT', `${what} took longer than ${timeoutMs} ms`));
    if (cancelled.aborted) this.#follow();
    else cancelled.addEventListener('abort', this.#follow, { once: true });
    this.#start();
  }

  /**
   * Resolves or rejects like the work, or rejects with the signal's reason as soon as the signal is aborted, without waiting for
   * the work.
   */
  race<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      work.then(resolve, reject);
    });
  }

  /** Stops the clock until the client has answered. Must not be called twice at the same time. */
  async pauseFor<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#stop();
    try {
      return await answer;
    } finally {
      if (!this.#disposed) this.#start();
    }
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#cancelled.removeEventListener('abort', this.#follow);
  }

  readonly #follow = (): void => this.#controller.abort(this.#cancelled.reason);

  #start(): void {
    this.#started = performance.now();
    this.#timer = setTimeout(this.#expire, Math.max(0, this.#leftMs));
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#started;
  }
}
