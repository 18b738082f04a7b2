/** The text of content that is UTF-8, byte for byte, of which the last character may be cut; `undefined` for anything else. */
export function textOf(content: Buffer, isCut = false): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content, { stream: isCut });
  } catch {
    return undefined;
  }
}
