export interface QueuedBatch<Batch> {
  /** Number of batches before this one. */
  readonly index: number;
  readonly batch: Batch;
}

/** Batches of files or entries that one thread has listed and no other thread has taken yet. */
export class BatchQueue<Batch> {
  readonly #batches: Batch[] = [];
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #isClosed = false;

  /** Number of batches that no thread has taken yet. */
  get size(): number {
    return this.#batches.length;
  }

  push(batch: Batch): void {
    if (!this.#isClosed) this.#batches.push(batch);
    this.#wake();
  }

  /** Resolves to the next batch, or to `undefined` if the queue is empty and closed. */
  async next(): Promise<QueuedBatch<Batch> | undefined> {
    for (;;) {
      const batch = this.#batches.shift();
      if (batch !== undefined) {
        this.#taken += 1;
        return { index: this.#taken - 1, batch };
      }
      if (this.#isClosed) return undefined;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Ends the queue after the batches that it contains. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Removes all batches and ends the queue. */
  clear(): void {
    this.#batches.length = 0;
    this.close();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
