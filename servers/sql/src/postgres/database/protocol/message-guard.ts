import type { Duplex } from 'node:stream';

import { ToolError } from '@org/mcp-decorators';
import type { ClientBase, Connection } from 'pg';

import type { DriverConnection } from './driver.ts';

/** Maximum length of a message from the server, such as a row, a notice or an error. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const HEADER_BYTES = 5;
const DATA_ROW = 0x44;

/** Takes `count` complete rows as DataRow messages of the server. The taker may keep the buffer. */
export type RowTaker = (messages: Buffer, count: number) => void;

const GUARDS = new WeakMap<DriverConnection, MessageGuard>();

/** Closes the connection when the server announces a message that is too long. pg would buffer a message of any size in memory. */
export function guardMessages(client: ClientBase, connectionClass: typeof Connection): void {
  const connection: unknown = Reflect.get(client, 'connection');
  if (!(connection instanceof connectionClass)) throw new TypeError('pg has changed: its client has no connection');
  // The guard can start here, because the stream is at a boundary between messages: the server has sent ReadyForQuery.
  GUARDS.set(connection, new MessageGuard(connection.stream));
}

/** Passes the rows of the next statement directly to the taker, not to pg, until the returned function is called. */
export function takeRows(connection: DriverConnection, taker: RowTaker): () => void {
  const guard = GUARDS.get(connection);
  if (guard === undefined) throw new TypeError('the connection is not guarded');
  return guard.divert(taker);
}

/** Reads the headers of the messages of a stream, and forwards the messages to pg. */
class MessageGuard {
  readonly #stream: Duplex;
  readonly #pass: (bytes: Buffer) => void;
  /**
   * Header of the current message, which may arrive in pieces: one character for the kind, and a length that includes the length
   * field.
   */
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #known = 0;
  #left = 0;
  #taker: RowTaker | undefined;
  /** Pieces of an incomplete row that the taker will receive; `undefined` if pg receives the current message. */
  #row: Buffer[] | undefined;

  constructor(stream: Duplex) {
    const [listener, ...others] = stream.listeners('data');
    if (listener === undefined || others.length > 0) throw new TypeError('pg has changed: it reads its stream in another way');
    this.#stream = stream;
    this.#pass = (bytes) => void Reflect.apply(listener, stream, [bytes]);
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => this.#onData(chunk));
  }

  divert(taker: RowTaker): () => void {
    this.#taker = taker;
    return () => {
      this.#taker = undefined;
    };
  }

  #onData(chunk: Buffer): void {
    if (this.#taker !== undefined) return this.#splitRows(chunk);
    for (let offset = 0; offset < chunk.length;) offset = this.#findPieceEnd(chunk, offset);
    this.#pass(chunk);
  }

  #splitRows(chunk: Buffer): void {
    for (let offset = 0; offset < chunk.length;) {
      const end = this.#takeWholeRows(chunk, offset);
      offset = end > offset ? end : this.#forwardPiece(chunk, offset);
    }
  }

  /** Passes all complete rows of a chunk to the taker in one call. Returns the position after the last complete row. */
  #takeWholeRows(chunk: Buffer, start: number): number {
    if (this.#known > 0 || this.#left > 0 || this.#taker === undefined) return start;
    let count = 0;
    let end = start;
    while (end + HEADER_BYTES <= chunk.length && chunk[end] === DATA_ROW) {
      const next = end + 1 + chunk.readUInt32BE(end + 1);
      if (next > chunk.length) break;
      count += 1;
      end = next;
    }
    if (count > 0) this.#taker(chunk.subarray(start, end), count);
    return end;
  }

  #forwardPiece(chunk: Buffer, start: number): number {
    if (this.#known === 0 && this.#left === 0)
      this.#row = this.#taker !== undefined && chunk[start] === DATA_ROW ? [] : undefined;
    const end = this.#findPieceEnd(chunk, start);
    const piece = chunk.subarray(start, end);
    if (this.#row === undefined) this.#pass(piece);
    else {
      this.#row.push(piece);
      if (this.#known === 0 && this.#left === 0) this.#taker?.(Buffer.concat(this.#row), 1);
    }
    return end;
  }

  /** Returns the end of the message at `start`, or the end of the chunk if the message is longer. */
  #findPieceEnd(chunk: Buffer, start: number): number {
    const body = this.#left === 0 ? start + this.#readHeader(chunk, start) : start;
    const end = Math.min(body + this.#left, chunk.length);
    this.#left -= end - body;
    return end;
  }

  #readHeader(chunk: Buffer, offset: number): number {
    const read = chunk.copy(this.#header, this.#known, offset, offset + HEADER_BYTES - this.#known);
    this.#known += read;
    if (this.#known < HEADER_BYTES) return read;
    this.#known = 0;
    const length = this.#header.readUInt32BE(1);
    if (length > MAX_MESSAGE_BYTES) this.#stream.destroy(tooLarge(length));
    this.#left = length - 4;
    return read;
  }
}

function tooLarge(bytes: number): ToolError {
  return new ToolError(
    'TOO_LARGE',
    `the database sent a message, such as a row, of ${Math.round(bytes / 1024 / 1024)} MiB, which exceeds the limit`,
    {
      hint: 'select a part of the long values, such as left(value, 1000), or only length(value)',
      data: { bytes, limit: MAX_MESSAGE_BYTES, retryable: false },
    },
  );
}
