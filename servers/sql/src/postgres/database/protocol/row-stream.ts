import type { SendableSql } from '../../policy/parse/sendable-sql.ts';
import type { DriverConnection, ResultField, ServerError } from './driver.ts';
import { takeRows } from './message-guard.ts';
import { ReadStatement } from './read-statement.ts';

/** Receives the rows of a stream. An error of the sink ends the stream, and the stream rejects with that error. */
export interface FieldSink {
  /** Reading from the server pauses until this promise settles; `undefined` while the sink accepts more rows. */
  readonly busy: Promise<unknown> | undefined;
  /** Called before the first row, and again if the statement runs a second time. */
  columns(fields: readonly ResultField[]): void;
  /** Takes `count` rows in the format that `decodeRows` reads. */
  rows(messages: Buffer, count: number): void;
  /** Takes a line of COPY. The buffer is reused after the call. */
  line(bytes: Uint8Array): void;
  /** Takes a notice of the server. */
  notice(text: string): void;
}

/** A statement whose rows are streamed. */
export interface StreamRequest {
  readonly sql: SendableSql;
  readonly params: readonly (string | null)[];
  /** `copied` returns lines of CSV with a header; only for statements without parameters. */
  readonly kind: 'direct' | 'copied';
  readonly sink: FieldSink;
  /** Called if the sink fails, so that the caller can cancel the statement. */
  readonly stop: () => void;
}

/**
 * Passes all rows of one statement to a sink as they arrive. Execute has no row count, so the server may use parallel workers. The
 * socket is paused while the sink is busy, so memory use does not depend on the number of rows.
 */
export class RowStream extends ReadStatement {
  readonly #sink: FieldSink;
  readonly #stop: () => void;
  #socket: DriverConnection['stream'] | undefined;
  #stopTaking: () => void = () => undefined;
  #isPaused = false;
  #discarded: { readonly reason: unknown } | undefined;

  constructor({ sink, stop, ...request }: StreamRequest) {
    super({ ...request, limit: 0, onRow: () => undefined });
    this.#sink = sink;
    this.#stop = stop;
  }

  /** Reason why the stream was ended early; `undefined` if the stream was not ended early. */
  get discarded(): { readonly reason: unknown } | undefined {
    return this.#discarded;
  }

  override submit(connection: DriverConnection): void {
    this.#socket = connection.stream;
    this.#stopTaking = takeRows(connection, (messages, count) => this.#deliver(() => this.#sink.rows(messages, count)));
    super.submit(connection);
  }

  /** Discards all further rows, but continues reading, because a server that cannot write does not process a cancel. */
  discard(reason: unknown): void {
    this.#discarded ??= { reason };
    this.#socket?.resume();
  }

  override handleRowDescription({ fields }: { readonly fields: readonly ResultField[] }): void {
    this.#sink.columns(fields);
  }

  override handleCopyData({ chunk }: { readonly chunk: Uint8Array }): void {
    this.#deliver(() => this.#sink.line(chunk));
  }

  override handleReadyForQuery(): void {
    this.#stopTaking();
    super.handleReadyForQuery();
  }

  override handleError(error: ServerError): void {
    this.#stopTaking();
    super.handleError(error);
  }

  #deliver(give: () => void): void {
    if (this.#discarded !== undefined) return;
    try {
      give();
    } catch (error) {
      this.#stopEarly(error);
    }
    this.#pauseWhile(this.#sink.busy);
  }

  #pauseWhile(busy: Promise<unknown> | undefined): void {
    if (busy === undefined || this.#isPaused || this.#discarded !== undefined) return;
    this.#isPaused = true;
    this.#socket?.pause();
    const rested = (): void => {
      this.#isPaused = false;
      this.#socket?.resume();
    };
    busy.then(rested, (error: unknown) => this.#stopEarly(error));
  }

  #stopEarly(reason: unknown): void {
    this.discard(reason);
    this.#stop();
  }
}
