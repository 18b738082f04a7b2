const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The text of UTF-8 bytes, without byte order mark; `undefined` if they are not text. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
