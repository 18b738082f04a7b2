/** Control, bidirectional and zero-width characters, which could forge lines or hide parts of a name. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible characters in text that others chose, such as a name or a path: `\u{a}` for a line ending. */
export function escapeInvisible(name: string): string {
  return name.replaceAll(INVISIBLE, escapeCharacter);
}

/** Escapes a character as `\u{202e}`. */
export function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
