import type { Meta } from '@org/mcp-decorators';

/**
 * The `_meta` of a tool whose results an operator can raise above the default of 20,000 bytes. Claude Code moves results of more than
 * 50,000 characters to a file; this key raises its limit to 500,000 characters, the most that it accepts.
 */
export const LARGE_RESULTS: Meta = { 'anthropic/maxResultSizeChars': 500_000 };

/** Bytes for the notes, totals and cursor around a body or a page of items. */
const RESERVED = 512;

/** Returns the number of bytes that remain for the body or the items of a result: all but 512, or three quarters of a small result. */
export function getUsableResultBytes(maxBytes: number): number {
  return maxBytes - Math.min(RESERVED, Math.floor(maxBytes / 4));
}

/**
 * Returns the first items whose JSON fits into a number of bytes. The first item is always included.
 *
 * @param more bytes of text that each item needs in addition; default: 0
 */
export function takeFittingItems<Item>(items: readonly Item[], maxBytes: number, more = 0): Item[] {
  let bytes = 0;
  const end = items.findIndex((item, position) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1 + more;
    return bytes > maxBytes && position > 0;
  });
  return items.slice(0, end === -1 ? items.length : end);
}
