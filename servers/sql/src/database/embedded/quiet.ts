/** A client that asks for nothing until then does not wait for anything. */
const UNASKED_MS = 1500;

/** The first moment after a start in which nobody waits for the server. */
export class Quiet {
  #listener: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReached = false;

  /** Told that the server can be asked. Calls the listener once, before whoever tells of the moment goes on. */
  started(listener: () => void): void {
    if (this.#isReached) return listener();
    this.#listener = listener;
    this.#timer = setTimeout(() => this.reach(), UNASKED_MS).unref();
  }

  /** Told that a call has ended, or the server is to. */
  reach(): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#isReached = true;
    clearTimeout(this.#timer);
    listener?.();
  }
}
