/** Decodes UTF-8 without NUL. Returns `undefined` for other content. If `isCut` is set, drops an incomplete last character. */
export function decodeUtf8(content: Buffer, isCut = false): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content, { stream: isCut });
  } catch {
    return undefined;
  }
}

/**
 * Maximum number of bytes of a UTF-8 character. In smaller parts, a text could not be read: a part might contain no whole
 * character, and the next part would start at the same byte.
 */
export const MAX_CHARACTER_BYTES = 4;

/**
 * Returns the last position, up to `most`, that is not within a UTF-8 character. For bytes that are not UTF-8, the result may be
 * within a character.
 */
export function findCharacterEnd(bytes: Buffer, most: number): number {
  for (let end = most; end > Math.max(0, most - MAX_CHARACTER_BYTES); end -= 1)
    if (((bytes[end] ?? 0) & 0xc0) !== 0x80) return end;
  return most;
}
