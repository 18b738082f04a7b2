/** Bytes for what surrounds a body or the items of a page: notes, totals, the cursor. */
const AROUND = 512;

/** Returns how many bytes of a result are left for its body or its items. */
export function roomIn(maxBytes: number): number {
  return maxBytes - Math.min(AROUND, Math.floor(maxBytes / 4));
}

/**
 * Returns the first items that fit into a number of bytes as JSON, and at least one.
 *
 * @param more bytes of text that each item needs in addition
 */
export function fitting<Item>(items: readonly Item[], maxBytes: number, more = 0): Item[] {
  let bytes = 0;
  const end = items.findIndex((item, position) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1 + more;
    return bytes > maxBytes && position > 0;
  });
  return items.slice(0, end === -1 ? items.length : end);
}
