import type { Duplex } from 'node:stream';

import { ToolError } from '@org/mcp-decorators';
import type { ClientBase, Connection } from 'pg';

/** Longest message that is taken from the server: a row, a notice, an error. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const HEADER_BYTES = 5;
const DATA_ROW = 0x44;

/** Takes so many whole rows, as the messages that the server sent; their memory is its own. */
export type RowTaker = (messages: Buffer, count: number) => void;

const GUARDS = new WeakMap<Connection, MessageGuard>();

/** Closes the connection when the server announces a message that is too long: pg would collect it in memory, whatever its size. */
export function guardMessages(client: ClientBase, connectionClass: typeof Connection): void {
  const connection: unknown = Reflect.get(client, 'connection');
  if (!(connection instanceof connectionClass)) throw new TypeError('pg has changed: its client has no connection');
  // At a boundary between messages: the server has said that it is ready.
  GUARDS.set(connection, new MessageGuard(connection.stream));
}

/** Gives the rows of the next statement to the taker, past pg, until the returned function is called. */
export function takeRows(connection: Connection, taker: RowTaker): () => void {
  const guard = GUARDS.get(connection);
  if (guard === undefined) throw new TypeError('the connection is not guarded');
  return guard.divert(taker);
}

/** Follows the messages of a stream by their headers, and hands them to pg. */
class MessageGuard {
  readonly #stream: Duplex;
  readonly #pass: (bytes: Buffer) => void;
  /** A header may come in pieces: a character for the kind, and a length that counts itself. */
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #known = 0;
  #left = 0;
  #taker: RowTaker | undefined;
  /** The message that is not whole yet is a row for the taker: its pieces. */
  #row: Buffer[] | undefined;

  constructor(stream: Duplex) {
    const [listener, ...others] = stream.listeners('data');
    if (listener === undefined || others.length > 0) throw new TypeError('pg has changed: it reads its stream in another way');
    this.#stream = stream;
    this.#pass = (bytes) => void Reflect.apply(listener, stream, [bytes]);
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => this.#see(chunk));
  }

  divert(taker: RowTaker): () => void {
    this.#taker = taker;
    return () => {
      this.#taker = undefined;
    };
  }

  #see(chunk: Buffer): void {
    if (this.#taker !== undefined) return this.#divide(chunk);
    for (let offset = 0; offset < chunk.length;) offset = this.#endOfPiece(chunk, offset);
    this.#pass(chunk);
  }

  #divide(chunk: Buffer): void {
    for (let offset = 0; offset < chunk.length;) {
      const end = this.#takeWholeRows(chunk, offset);
      offset = end > offset ? end : this.#handOnPiece(chunk, offset);
    }
  }

  /** Most rows are in one chunk with others: they are taken together. Returns where they end. */
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

  #handOnPiece(chunk: Buffer, start: number): number {
    if (this.#known === 0 && this.#left === 0)
      this.#row = this.#taker !== undefined && chunk[start] === DATA_ROW ? [] : undefined;
    const end = this.#endOfPiece(chunk, start);
    const piece = chunk.subarray(start, end);
    if (this.#row === undefined) this.#pass(piece);
    else {
      this.#row.push(piece);
      if (this.#known === 0 && this.#left === 0) this.#taker?.(Buffer.concat(this.#row), 1);
    }
    return end;
  }

  /** Where the message that begins or goes on at `start` ends, or the chunk. */
  #endOfPiece(chunk: Buffer, start: number): number {
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
  return new ToolError('TOO_LARGE', `the database sent a row of ${Math.round(bytes / 1024 / 1024)} MiB, which is not read`, {
    hint: 'select less of its long values, such as left(value, 1000), or their length(value)',
    data: { bytes, limit: MAX_MESSAGE_BYTES, retryable: false },
  });
}
