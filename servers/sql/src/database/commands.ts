import type { Connection, DatabaseError, Submittable } from 'pg';

import { Flight } from './flight.ts';

/** Statements of our own that return no rows, up to one Sync; the first that fails ends them. */
export class Commands implements Submittable {
  /** Resolves when the server is done with them; rejects with its error. */
  readonly ended: Promise<void>;
  readonly #texts: readonly string[];
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  /** Without texts it waits for what another statement has written. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    if (this.#texts.length === 0) return;
    const flight = new Flight();
    flight.commands(this.#texts);
    flight.sync();
    flight.send(connection);
  }

  handleCommandComplete(): void {
    // The end is ReadyForQuery.
  }

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: DatabaseError): void {
    this.#reject(error);
  }
}
