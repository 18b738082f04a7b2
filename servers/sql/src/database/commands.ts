import type { Connection, DatabaseError, Submittable } from 'pg';

/** Writes a statement of our own that takes no values and returns no rows; it runs at the next Sync. */
export function writeCommand(connection: Connection, text: string): void {
  connection.parse({ name: '', text, types: [] }, true);
  connection.bind({ portal: '', statement: '', values: [] }, true);
  connection.execute({ portal: '', rows: '0' }, true);
}

/** Writes all that the function does at once: each message by itself would be a system call, and on TLS a record. */
export function writeTogether({ stream }: Connection, write: () => void): void {
  stream.cork();
  try {
    write();
  } finally {
    stream.uncork();
  }
}

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
    writeTogether(connection, () => {
      for (const text of this.#texts) writeCommand(connection, text);
      connection.sync();
    });
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
