import type { Row } from './format.ts';

/** Size of the header of a row: one byte for the type of the message, four for its length. */
const HEADER_BYTES = 5;
/** Size of the field with the length of a value, in bytes. */
const LENGTH_BYTES = 4;
const NULL = -1;
const DATA_ROW = 'D'.charCodeAt(0);

/**
 * Encodes a row as a DataRow message of PostgreSQL's protocol, so that rows of PostgreSQL need not be encoded again: a header, the
 * number of values, and the length and text of each value; the length of NULL is -1. A row has at most 65,535 values.
 */
export function encodeRow(row: Row): Buffer {
  const message = Buffer.allocUnsafe(measureRow(row));
  message.writeUInt8(DATA_ROW, 0);
  message.writeInt32BE(message.length - 1, 1);
  message.writeUInt16BE(row.length, HEADER_BYTES);
  let offset = HEADER_BYTES + 2;
  for (const value of row) {
    const length = value === null ? 0 : message.write(value, offset + LENGTH_BYTES);
    message.writeInt32BE(value === null ? NULL : length, offset);
    offset += LENGTH_BYTES + length;
  }
  return message;
}

/**
 * Decodes rows.
 *
 * @param encoded rows in the format of `encodeRow`, one after the other
 * @param skip number of rows to skip
 */
export function* decodeRows(encoded: Buffer, skip = 0): Generator<Row> {
  for (let offset = 0, index = 0; offset < encoded.length; offset += 1 + encoded.readInt32BE(offset + 1), index += 1)
    if (index >= skip) yield decodeValues(encoded, offset + HEADER_BYTES);
}

function decodeValues(encoded: Buffer, start: number): Row {
  const count = encoded.readUInt16BE(start);
  const values: (string | null)[] = [];
  for (let index = 0, offset = start + 2; index < count; index += 1) {
    const length = encoded.readInt32BE(offset);
    offset += LENGTH_BYTES;
    values.push(length === NULL ? null : encoded.toString('utf8', offset, offset + length));
    if (length !== NULL) offset += length;
  }
  return values;
}

/** Returns the number of bytes of an encoded row. */
export function measureRow(row: Row): number {
  return row.reduce((sum, value) => sum + LENGTH_BYTES + Buffer.byteLength(value ?? ''), HEADER_BYTES + 2);
}
