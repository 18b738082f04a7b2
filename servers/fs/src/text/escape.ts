/** Control, bidirectional and zero-width characters: in a name they could forge lines or hide what it says. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A file's name as one line of visible text. */
export function visibleName(name: string): string {
  // Nearly all names.
  if (!/[^ -~]/.test(name)) return name;
  return name.replaceAll(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
