import { ToolError } from '../../errors.ts';
import { TokenBucket } from './token-bucket.ts';

/** As many callers are remembered; the one that was longest away starts anew. */
const MAX_CALLERS = 10_000;

/** Lets each caller make so many calls in a time, all at once or spread over it. */
export class RateLimit {
  readonly #calls: number;
  readonly #perSeconds: number;
  readonly #callers = new Map<string, TokenBucket>();

  constructor({ calls, perSeconds }: { readonly calls: number; readonly perSeconds: number }) {
    this.#calls = calls;
    this.#perSeconds = perSeconds;
  }

  /** Counts a call. @throws ToolError RATE_LIMITED if the caller has used up its limit */
  admit(caller: string, what: string): void {
    const bucket = this.#bucketOf(caller);
    if (bucket.take()) return;
    const retryAfterMs = bucket.waitMs;
    const calls = this.#calls === 1 ? '1 call' : `${this.#calls} calls`;
    throw new ToolError('RATE_LIMITED', `${what} is limited to ${calls} in ${this.#perSeconds} s`, {
      hint: `try again in ${(retryAfterMs / 1000).toFixed(1)} s`,
      data: { retryAfterMs },
    });
  }

  #bucketOf(caller: string): TokenBucket {
    const bucket = this.#callers.get(caller) ?? new TokenBucket(this.#calls, this.#calls / this.#perSeconds);
    // Set anew each time, so that the first key is that of the caller who was longest away.
    this.#callers.delete(caller);
    this.#callers.set(caller, bucket);
    if (this.#callers.size > MAX_CALLERS) this.#callers.delete(this.#callers.keys().next().value ?? caller);
    return bucket;
  }
}
