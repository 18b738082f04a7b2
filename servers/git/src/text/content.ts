const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The text of content that is UTF-8, of which the last character may be cut; `undefined` for anything else. */
export function textOf(content: Buffer, isCut = false): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return isCut ? new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: true }) : UTF8.decode(content);
  } catch {
    return undefined;
  }
}
