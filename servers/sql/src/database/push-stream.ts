import type { Connection, DatabaseError, FieldDef, Submittable } from 'pg';

import type { Row } from '../rows/format.ts';

/** Where a stream goes. What it throws ends the stream, and is what the stream fails with. */
export interface StreamSink {
  /** While it is there, nothing more is read from the server. */
  readonly busy: Promise<unknown> | undefined;
  /** Called once, before the first row. */
  columns(fields: readonly FieldDef[]): void;
  /** Takes a row, of so many bytes on the wire. */
  row(row: Row, bytes: number): void;
  /** Takes a line of COPY; its memory is used again afterwards. */
  line(bytes: Uint8Array): void;
  /** Takes what the server says besides. */
  notice(text: string): void;
}

/** What is streamed. */
export interface StreamRequest {
  readonly sql: string;
  readonly params: readonly (string | null)[];
  /** By COPY, as CSV with a header; for statements without parameters. */
  readonly copy: boolean;
  readonly sink: StreamSink;
  /** Called when nothing more is wanted before the end. */
  readonly stop: () => void;
}

/** What stands before a copied statement; error positions count it. */
const COPY = 'COPY (\n';

/**
 * All rows of one statement, given on as they arrive: Execute without a row count, so that the server may use parallel workers, and
 * the socket rests while the sink is busy. 1 M rows take as long as without a sink, and no memory.
 *
 * With `copy` the statement is parsed by itself first, as in `ReadStatement`: what parsed alone cannot end the parentheses.
 */
export class PushStream implements Submittable {
  /** Resolves when the server is done with it; rejects with its error, or the sink's. */
  readonly ended: Promise<void>;
  readonly #request: StreamRequest;
  #socket: Connection['stream'] | undefined;
  #parsed = 0;
  #resting = false;
  #over: { readonly reason?: unknown } | undefined;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(request: StreamRequest) {
    this.#request = request;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** It stands alone, but not in parentheses: `select 1; -- done`. */
  get cannotBeCopied(): boolean {
    return this.#request.copy && this.#parsed === 1;
  }

  submit(connection: Connection): void {
    const { sql, params, copy } = this.#request;
    this.#socket = connection.stream;
    connection.on('parseComplete', this.#countParse);
    connection.parse({ name: '', text: sql, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    if (copy) connection.parse({ name: '', text: copied(sql), types: [] }, true);
    connection.bind({ portal: '', statement: '', values: [...params] }, true);
    connection.execute({ portal: '', rows: '0' }, true);
    connection.sync();
    const stop = (): void => void connection.off('parseComplete', this.#countParse);
    this.ended.then(stop, stop);
  }

  /** Takes nothing more and reads on: a server that cannot write does not hear that it is cancelled. */
  discard(reason?: unknown): void {
    this.#over ??= { reason };
    this.#socket?.resume();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#give(() => this.#request.sink.columns(fields));
  }

  handleDataRow({ fields, length }: { readonly fields: Row; readonly length: number }): void {
    this.#give(() => this.#request.sink.row(fields, length));
  }

  handleCopyData({ chunk }: { readonly chunk: Uint8Array }): void {
    this.#give(() => this.#request.sink.line(chunk));
  }

  handlePortalSuspended(): void {
    // Only a row count suspends.
  }

  handleCommandComplete(): void {
    // The end is ReadyForQuery.
  }

  handleEmptyQuery(): void {
    // An empty statement has no rows.
  }

  handleReadyForQuery(): void {
    if (this.#over === undefined) this.#resolve();
    else this.#reject(this.#over.reason);
  }

  handleError(error: DatabaseError): void {
    const before = this.#parsed > 1 ? COPY.length : 0;
    if (error.position !== undefined) error.position = String(Math.max(1, Number(error.position) - before));
    this.#reject(this.#over?.reason ?? error);
  }

  handleCopyInResponse(connection: Connection): void {
    connection.end();
  }

  #give(take: () => void): void {
    if (this.#over !== undefined) return;
    try {
      take();
      this.#restWhile(this.#request.sink.busy);
    } catch (error) {
      this.#end(error);
    }
  }

  #restWhile(busy: Promise<unknown> | undefined): void {
    if (busy === undefined || this.#resting) return;
    this.#resting = true;
    this.#socket?.pause();
    const rested = (): void => {
      this.#resting = false;
      this.#socket?.resume();
    };
    busy.then(rested, (error: unknown) => this.#end(error));
  }

  #end(reason: unknown): void {
    this.discard(reason);
    this.#request.stop();
  }

  readonly #countParse = (): void => {
    this.#parsed += 1;
  };
}

// A semicolon at the very end is never inside of anything: what is open there has failed to parse by itself.
function copied(sql: string): string {
  return `${COPY}${sql.replace(/[;\s]+$/, '')}\n) TO STDOUT (FORMAT csv, HEADER)`;
}
