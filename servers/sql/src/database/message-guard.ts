import type { Duplex } from 'node:stream';

import { ToolError } from '@org/mcp-decorators';
import type { ClientBase, Connection } from 'pg';

/** Longest message that is taken from the server: a row, a notice, an error. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const HEADER_BYTES = 5;

/** Closes the connection when the server announces a message that is too long: pg would collect it in memory, whatever its size. */
export function guardMessages(client: ClientBase, connectionClass: typeof Connection): void {
  const connection: unknown = Reflect.get(client, 'connection');
  if (!(connection instanceof connectionClass)) throw new TypeError('pg has changed: its client has no connection');
  const guard = new MessageGuard(connection.stream);
  // Before pg's own listener, at a boundary between messages: the server has said that it is ready.
  connection.stream.prependListener('data', (chunk: Buffer) => guard.see(chunk));
}

/** Follows the messages of a stream by their headers. */
class MessageGuard {
  readonly #stream: Duplex;
  /** A header may come in pieces: a character for the kind, and a length that counts itself. */
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #known = 0;
  #left = 0;

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  see(chunk: Buffer): void {
    for (let offset = 0; offset < chunk.length;) {
      if (this.#left === 0) offset += this.#readHeader(chunk, offset);
      const skipped = Math.min(this.#left, chunk.length - offset);
      this.#left -= skipped;
      offset += skipped;
    }
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
