/** A token bucket: allows a burst of calls, and then on average a fixed number of calls per second. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #refilled = performance.now();

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
  }

  /** Takes a token. Returns `false` if the bucket is empty. */
  take(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Milliseconds until the next token is available. */
  get waitMs(): number {
    this.#refill();
    return Math.max(0, Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1000));
  }

  #refill(): void {
    const now = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#refilled) / 1000) * this.#perSecond);
    this.#refilled = now;
  }
}
