import type { Row } from './format.ts';

/** A character that says what the message is, and its length. */
const HEADER_BYTES = 5;
/** Of a value. */
const LENGTH_BYTES = 4;
const NULL = -1;

/**
 * The rows in messages of PostgreSQL's protocol, from the first one that is not skipped: each message is a header, the number of
 * values, and for each of them its length, -1 for NULL, and its text.
 */
export function* sentRows(messages: Buffer, skip = 0): Generator<Row> {
  for (let offset = 0, index = 0; offset < messages.length; offset += 1 + messages.readInt32BE(offset + 1), index += 1)
    if (index >= skip) yield valuesAt(messages, offset + HEADER_BYTES);
}

function valuesAt(messages: Buffer, start: number): Row {
  const count = messages.readUInt16BE(start);
  const values: (string | null)[] = [];
  for (let index = 0, offset = start + 2; index < count; index += 1) {
    const length = messages.readInt32BE(offset);
    offset += LENGTH_BYTES;
    values.push(length === NULL ? null : messages.toString('utf8', offset, offset + length));
    if (length !== NULL) offset += length;
  }
  return values;
}

/** Returns the size of the message of a row. */
export function sentBytes(row: Row): number {
  return row.reduce((sum, value) => sum + LENGTH_BYTES + Buffer.byteLength(value ?? ''), HEADER_BYTES + 2);
}
