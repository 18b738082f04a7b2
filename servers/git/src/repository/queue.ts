/** Work that is done one piece after the other. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Begins when all that was added before has ended; work whose signal is aborted until then is not begun. */
  async add<Outcome>(work: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
