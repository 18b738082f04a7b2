import type { Connection } from 'pg';

/** Of almost every flight; a longer one takes more. */
const BYTES = 2048;

/** Each call sends the same ones. */
const COMMANDS = new WeakMap<readonly string[], Buffer>();

/**
 * Messages of the extended protocol that leave together: each one by itself, as pg writes them, would be a system call, and on TLS a
 * record. What is parsed, bound and executed is the unnamed statement.
 */
export class Flight {
  #bytes: Buffer = Buffer.allocUnsafe(BYTES);
  #length = 0;
  #message = 0;

  /** Statements of our own that take no values and return no rows; they run at the next Sync. */
  commands(texts: readonly string[]): void {
    const bytes = COMMANDS.get(texts) ?? bytesOf(texts);
    this.#reserve(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  /** What it is so far. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  parse(text: string): void {
    this.#begin('P');
    this.#byte(0);
    this.#text(text);
    this.#byte(0);
    this.#int16(0);
    this.#end();
  }

  describe(): void {
    this.#begin('D');
    this.#text('S');
    this.#byte(0);
    this.#end();
  }

  /** Values as text. */
  bind(values: readonly (string | null)[]): void {
    this.#begin('B');
    this.#byte(0);
    this.#byte(0);
    this.#int16(0);
    this.#int16(values.length);
    for (const value of values) {
      this.#int32(value === null ? -1 : Buffer.byteLength(value));
      if (value !== null) this.#text(value);
    }
    this.#int16(0);
    this.#end();
  }

  /** 0 rows: all. */
  execute(rows: number): void {
    this.#begin('E');
    this.#byte(0);
    this.#int32(rows);
    this.#end();
  }

  sync(): void {
    this.#begin('S');
    this.#end();
  }

  send({ stream }: Connection): void {
    if (stream.writable) stream.write(this.bytes);
  }

  #begin(kind: string): void {
    this.#text(kind);
    this.#message = this.#length;
    this.#int32(0);
  }

  /** The length of a message counts itself. */
  #end(): void {
    this.#bytes.writeInt32BE(this.#length - this.#message, this.#message);
  }

  #text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#length = this.#bytes.writeUInt8(value, this.#length);
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#length = this.#bytes.writeUInt16BE(value, this.#length);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeInt32BE(value, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const longer = Buffer.allocUnsafe(2 * (this.#length + bytes));
    this.#bytes.copy(longer, 0, 0, this.#length);
    this.#bytes = longer;
  }
}

function bytesOf(texts: readonly string[]): Buffer {
  const flight = new Flight();
  for (const text of texts) {
    flight.parse(text);
    flight.bind([]);
    flight.execute(0);
  }
  const { bytes } = flight;
  COMMANDS.set(texts, bytes);
  return bytes;
}
