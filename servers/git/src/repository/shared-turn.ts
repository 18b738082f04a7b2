/** Work whose outcome is shared by those who ask for it in one turn of the event loop: between them nothing else was read. */
export class SharedTurn<Outcome> {
  readonly #begun = new Map<string, Promise<Outcome>>();

  /** What fails for one, who may have been cancelled, is done again for each other. */
  of(key: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const begun = this.#begun.get(key);
    if (begun !== undefined) return begun.catch(work);
    if (this.#begun.size === 0) setImmediate(() => this.#begun.clear());
    const own = work();
    this.#begun.set(key, own);
    return own;
  }
}
