import { ToolError } from '@org/mcp-decorators';

/** How long a call waits for others: until its time is over or it is cancelled. */
export class Patience {
  readonly #deadline: number;
  readonly #signal: AbortSignal;
  readonly #onTimeout: () => ToolError;

  constructor(milliseconds: number, signal: AbortSignal, onTimeout: () => ToolError) {
    this.#deadline = performance.now() + milliseconds;
    this.#signal = signal;
    this.#onTimeout = onTimeout;
  }

  /** Waits for something, and rejects when the time is over before. */
  async until<Value>(wanted: Promise<Value>): Promise<Value> {
    this.#signal.throwIfAborted();
    let forget = (): void => undefined;
    const ended = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(this.#onTimeout()), Math.max(0, this.#deadline - performance.now()));
      const abort = (): void => reject(this.#signal.reason);
      this.#signal.addEventListener('abort', abort);
      forget = () => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', abort);
      };
    });
    try {
      return await Promise.race([wanted, ended]);
    } finally {
      forget();
    }
  }

  async pause(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.until(new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))));
    } finally {
      clearTimeout(timer);
    }
  }
}
