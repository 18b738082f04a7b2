/** Default limit of a shown value. */
const MAX_VALUE_BYTES = 4096;

/**
 * Control characters except tab and line feed, bidirectional characters and characters without a width. With them, a value could
 * forge lines, move a cursor or hide text. People do not see tag characters (U+E0000 to U+E007F), but models read them.
 */
const INVISIBLE =
  /(?![\n\t])\p{Cc}|[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]|[\u061C\u180E\u200B\u200E\u200F\u2028\u2029\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

const PLAIN = /^[\n\t\x20-\x7E]*$/;

/** A value that may be cut; the text of a cut value ends with its original size. */
export interface ShownValue {
  readonly text: string | null;
  readonly cut: boolean;
}

/** Cuts a value of more than `maxBytes` bytes. Default: 4 KiB. */
export function shownValue(value: string | null, maxBytes: number = MAX_VALUE_BYTES): ShownValue {
  if (value === null || value.length * 3 <= maxBytes) return { text: value, cut: false };
  const bytes = Buffer.byteLength(value);
  if (bytes <= maxBytes) return { text: value, cut: false };
  return { text: `${prefix(value, maxBytes)}… [cut from ${bytes} bytes]`, cut: true };
}

/** Escapes invisible characters. */
export function visible(text: string): string {
  // Most values contain only plain characters. This test takes less time than the replacement.
  if (PLAIN.test(text)) return text;
  return text.replaceAll(INVISIBLE, (character, offset: number) =>
    character === '\r' && text[offset + 1] === '\n' ? character : `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}

/** Escapes invisible characters, line breaks and tabs, so that text of the database cannot forge lines of a result. */
export function oneLine(text: string): string {
  return visible(text).replaceAll(/[\r\n\t]/g, (character) => JSON.stringify(character).slice(1, -1));
}

/** Returns the complete characters within the first `maxBytes` bytes of a text. */
export function prefix(value: string, maxBytes: number): string {
  const bytes = Buffer.from(value.slice(0, maxBytes)).subarray(0, maxBytes);
  // With `stream: true`, the decoder holds back an incomplete character at the end.
  return new TextDecoder().decode(bytes, { stream: true });
}
