/** A value of SQLite. */
export type Value = string | number | bigint | Uint8Array | null;

const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;
const DECIMAL = /^-?\d+\.\d+$/;

/**
 * Converts the text of a parameter to a value. The text of a number becomes a number, unless the number would have another text.
 * SQLite does not consider a text and a number equal. If a number is compared with a column of texts, SQLite converts the
 * number, so a number matches columns of both types.
 */
export function fromText(text: string | null): Exclude<Value, Uint8Array> {
  if (text === null) return null;
  if (INTEGER.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return BigInt(text);
  return DECIMAL.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** Writes a value as text: a real number with a point or an exponent, and a BLOB as hexadecimal digits after `\x`. */
export function toText(value: Value): string | null {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return typeof value === 'number' && /^-?\d+$/.test(String(value)) ? `${value}.0` : String(value);
}

/** Returns the approximate size of a row, in bytes. */
export function measure(row: readonly Value[]): number {
  return row.reduce<number>(
    (sum, value) => sum + (value instanceof Uint8Array || typeof value === 'string' ? value.length : 8),
    0,
  );
}
