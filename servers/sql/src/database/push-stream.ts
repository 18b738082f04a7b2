import type { Connection, DatabaseError, FieldDef } from 'pg';

import type { SendableSql } from '../policy/sendable-sql.ts';
import { takeRows } from './message-guard.ts';
import { ReadStatement } from './read-statement.ts';

/** Where a stream goes. What it throws ends the stream, and is what the stream fails with. */
export interface StreamSink {
  /** While it is there, nothing more is read from the server. */
  readonly busy: Promise<unknown> | undefined;
  /** Called before the first row; twice, if the statement was run a second time. */
  columns(fields: readonly FieldDef[]): void;
  /** Takes so many rows, as `sentRows` reads them. */
  rows(messages: Buffer, count: number): void;
  /** Takes a line of COPY; its memory is used again afterwards. */
  line(bytes: Uint8Array): void;
  /** Takes what the server says besides. */
  notice(text: string): void;
}

/** What is streamed. */
export interface StreamRequest {
  readonly sql: SendableSql;
  readonly params: readonly (string | null)[];
  /** `copied`: as lines of CSV with a header; for statements without parameters. */
  readonly kind: 'direct' | 'copied';
  readonly sink: StreamSink;
  /** Called when nothing more is wanted before the end. */
  readonly stop: () => void;
}

/**
 * All rows of one statement, given on as they arrive: Execute without a row count, so that the server may use parallel workers, while
 * the socket rests as long as the sink is busy. What arrives takes no memory however much it is.
 */
export class PushStream extends ReadStatement {
  readonly #sink: StreamSink;
  readonly #stop: () => void;
  #socket: Connection['stream'] | undefined;
  #stopTaking: () => void = () => undefined;
  #resting = false;
  #over: { readonly reason: unknown } | undefined;

  constructor({ sink, stop, ...request }: StreamRequest) {
    super({ ...request, limit: 0, onRow: () => undefined });
    this.#sink = sink;
    this.#stop = stop;
  }

  /** It was ended before its end, and why. */
  get over(): { readonly reason: unknown } | undefined {
    return this.#over;
  }

  override submit(connection: Connection): void {
    this.#socket = connection.stream;
    this.#stopTaking = takeRows(connection, (messages, count) => this.#give(() => this.#sink.rows(messages, count)));
    super.submit(connection);
  }

  /** Takes nothing more, and reads on: a server that cannot write does not hear that it is cancelled. */
  discard(reason: unknown): void {
    this.#over ??= { reason };
    this.#socket?.resume();
  }

  override handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#sink.columns(fields);
  }

  override handleCopyData({ chunk }: { readonly chunk: Uint8Array }): void {
    this.#give(() => this.#sink.line(chunk));
  }

  override handleReadyForQuery(): void {
    this.#stopTaking();
    super.handleReadyForQuery();
  }

  override handleError(error: DatabaseError): void {
    this.#stopTaking();
    super.handleError(error);
  }

  #give(give: () => void): void {
    if (this.#over !== undefined) return;
    try {
      give();
    } catch (error) {
      this.#end(error);
    }
    this.#restWhile(this.#sink.busy);
  }

  #restWhile(busy: Promise<unknown> | undefined): void {
    if (busy === undefined || this.#resting || this.#over !== undefined) return;
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
    this.#stop();
  }
}
