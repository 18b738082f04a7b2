/** Maximum length of a character in UTF-8: a part that is smaller may contain no whole character, and never ends. */
export const MOST_BYTES = 4;

/** Returns the last position, up to a given one, that is not within a character of UTF-8. */
export function endOfCharacter(bytes: Buffer, most: number): number {
  for (let end = most; end > Math.max(0, most - MOST_BYTES); end -= 1) if (((bytes[end] ?? 0) & 0xc0) !== 0x80) return end;
  return most;
}
