import type { DriverConnection, DriverStatement, ServerError } from './driver.ts';
import { MessageWriter } from './message-writer.ts';

/** A batch of statements of this program that return no rows, followed by one Sync. The first failed statement ends the batch. */
export class StatementBatch implements DriverStatement {
  /** Resolves when the server has run the batch; rejects with the error of the server. */
  readonly ended: Promise<void>;
  readonly #texts: readonly string[];
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  /** Without texts, the batch writes nothing and waits for the answers to messages that another statement has written. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: DriverConnection): void {
    if (this.#texts.length === 0) return;
    const writer = new MessageWriter();
    writer.statements(this.#texts);
    writer.sync();
    writer.send(connection);
  }

  handleCommandComplete(): void {
    // The batch ends with ReadyForQuery.
  }

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: ServerError): void {
    this.#reject(error);
  }
}
