/** Control, bidirectional and zero-width characters: in a name they could forge lines or hide what it says. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text that others chose, such as a name or a path, as one line in which nothing is hidden: `\u{a}` for a line end. */
export function visibleName(name: string): string {
  return name.replaceAll(INVISIBLE, spelledOut);
}

/** A character by its code: `\u{202e}`. */
export function spelledOut(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
