/** Time after the start. If no call has ended within this time, no client is assumed to wait for the server. */
const NO_CALL_MS = 1500;

/** The first moment after a start when no client waits for the server. */
export class IdleMoment {
  #listener: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReached = false;

  /**
   * Starts waiting, because the server now accepts queries. Calls the listener once: at once if the moment was reached before,
   * otherwise within `reach` or after a timeout.
   */
  started(listener: () => void): void {
    if (this.#isReached) return listener();
    this.#listener = listener;
    this.#timer = setTimeout(() => this.reach(), NO_CALL_MS).unref();
  }

  /** Marks the moment as reached, because a call has ended or the server is about to end. */
  reach(): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#isReached = true;
    clearTimeout(this.#timer);
    listener?.();
  }
}
