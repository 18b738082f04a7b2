import type { Row } from './format.ts';

/** Size of a message header: one byte for the type of the message, four for its length. */
const HEADER_BYTES = 5;
/** Size of the field with the length of a value, in bytes. */
const LENGTH_BYTES = 4;
const NULL = -1;

/**
 * Decodes DataRow messages of PostgreSQL's protocol. A message has a header, the number of values, and the length and text of each
 * value; the length of NULL is -1.
 *
 * @param skip number of rows to skip
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
