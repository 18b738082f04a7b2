import { ToolError } from '../../results/tool-error.ts';
import { TokenBucket } from './token-bucket.ts';

/** Maximum number of remembered callers. Above this number, the least recently used caller is forgotten. */
const MAX_CALLERS = 10_000;

/** Limits the calls of each caller: a burst of `calls`, and then `calls` per `perSeconds` on average (token bucket). */
export class RateLimiter {
  readonly #calls: number;
  readonly #perSeconds: number;
  readonly #callers = new Map<string, TokenBucket>();

  constructor({ calls, perSeconds }: { readonly calls: number; readonly perSeconds: number }) {
    this.#calls = calls;
    this.#perSeconds = perSeconds;
  }

  /** Counts a call. @throws ToolError RATE_LIMITED if the caller exceeds its limit */
  countCall(caller: string, what: string): void {
    const bucket = this.#getBucket(caller);
    if (bucket.take()) return;
    const retryAfterMs = bucket.waitMs;
    const calls = this.#calls === 1 ? '1 call' : `${this.#calls} calls`;
    throw new ToolError('RATE_LIMITED', `${what} is limited to ${calls} per ${this.#perSeconds} s`, {
      hint: `try again in ${(retryAfterMs / 1000).toFixed(1)} s`,
      data: { retryAfterMs },
    });
  }

  #getBucket(caller: string): TokenBucket {
    const bucket = this.#callers.get(caller) ?? new TokenBucket(this.#calls, this.#calls / this.#perSeconds);
    // Reinserting the key keeps the map in order of last use.
    this.#callers.delete(caller);
    this.#callers.set(caller, bucket);
    if (this.#callers.size > MAX_CALLERS) this.#callers.delete(this.#callers.keys().next().value ?? caller);
    return bucket;
  }
}
