import type { DriverConnection } from './driver.ts';

/** Initial size of the buffer, sufficient for almost all batches of messages. */
const INITIAL_BYTES = 2048;

/** Cache of encoded statements, because most calls send the same statements. */
const ENCODED = new WeakMap<readonly string[], Buffer>();

/**
 * Collects messages of the extended protocol and sends the messages together. pg writes each message separately, which takes one
 * system call per message, and one TLS record. Parse, Bind and Execute use the unnamed statement, and the unnamed portal unless a
 * portal is given. A named portal survives a later Parse; it is closed at the end of the transaction.
 */
export class MessageWriter {
  #bytes: Buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #length = 0;
  #message = 0;

  /** Adds statements of this program without values and without rows. The statements run at the next Sync. */
  statements(texts: readonly string[]): void {
    const bytes = ENCODED.get(texts) ?? encodeStatements(texts);
    this.#reserve(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  /** Returns all messages so far, encoded. */
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

  /** Binds values in text format. */
  bind(values: readonly (string | null)[], portal = ''): void {
    this.#begin('B');
    this.#text(portal);
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

  /** Executes the statement for at most `rows` rows; 0 means all rows. */
  execute(rows: number, portal = ''): void {
    this.#begin('E');
    this.#text(portal);
    this.#byte(0);
    this.#int32(rows);
    this.#end();
  }

  closePortal(portal: string): void {
    this.#begin('C');
    this.#text('P');
    this.#text(portal);
    this.#byte(0);
    this.#end();
  }

  sync(): void {
    this.#begin('S');
    this.#end();
  }

  send({ stream }: DriverConnection): void {
    if (stream.writable) stream.write(this.bytes);
  }

  #begin(kind: string): void {
    this.#text(kind);
    this.#message = this.#length;
    this.#int32(0);
  }

  /** Writes the length of the message, which includes the length field. */
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

function encodeStatements(texts: readonly string[]): Buffer {
  const writer = new MessageWriter();
  for (const text of texts) {
    writer.parse(text);
    writer.bind([]);
    writer.execute(0);
  }
  const { bytes } = writer;
  ENCODED.set(texts, bytes);
  return bytes;
}
