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

/**
 * Formats a value as JSON in which each character that matches is escaped as `\u202e`. Default: control, bidirectional and zero-width
 * characters, which `JSON.stringify` keeps.
 */
export function formatVisibleJson(value: unknown, characters: RegExp = INVISIBLE): string {
  return JSON.stringify(value).replaceAll(characters, (character) => character.split('').map(formatCodeUnit).join(''));
}

function formatCodeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
