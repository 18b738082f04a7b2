import { ToolError } from '../../errors.ts';

/** As many calls wait for a slot; further ones are refused. */
const MAX_WAITING = 100;

/** Lets so many calls run at once; the others wait in order. */
export class Slots {
  readonly #count: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#count = count;
  }

  /**
   * Runs the work in a slot of its own.
   *
   * @throws ToolError OVERLOADED if 100 calls are waiting already, and the signal's reason if it is aborted while waiting
   */
  async run<Outcome>(work: () => Promise<Outcome>, signal: AbortSignal, what: string): Promise<Outcome> {
    if (this.#taken < this.#count) this.#taken += 1;
    else await this.#wait(signal, what);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #wait(signal: AbortSignal, what: string): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.size >= MAX_WAITING)
      throw new ToolError('OVERLOADED', `${what} runs ${this.#count} times at once and ${MAX_WAITING} calls are waiting`, {
        hint: 'try again later',
      });
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(enter);
    });
  }

  /** Hands the slot to whoever waits longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
