import type { FileBatch } from '../search/list-files.ts';

export interface QueuedBatch {
  /** Number of batches before this one. */
  readonly index: number;
  readonly batch: FileBatch;
}

/** The listed files that no thread has searched yet. */
export class BatchQueue {
  readonly #batches: FileBatch[] = [];
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #isClosed = false;

  push(batch: FileBatch): void {
    if (!this.#isClosed) this.#batches.push(batch);
    this.#wake();
  }

  /** Resolves to the next batch, or to `undefined` if the queue is empty and closed. */
  async next(): Promise<QueuedBatch | undefined> {
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
