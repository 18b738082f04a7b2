/** As many watches as all that share it may have at a time. */
export class WatchLimit {
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes one; what it returns gives that one back, once. Throws an error with the code `MAX_WATCHES` if none is left. */
  take(): () => void {
    if (this.#taken >= this.#max) throw new WatchLimitError(this.#max);
    this.#taken++;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken--;
    };
  }
}

class WatchLimitError extends Error {
  override readonly name = 'WatchLimitError';
  readonly code = 'MAX_WATCHES';

  constructor(max: number) {
    super(`MAX_WATCHES: all ${max} watches on directories are taken`);
  }
}
