/** Splits `a,b` at its commas, but not at those inside braces: `*.{js,ts}` is one glob. */
export function splitList(text: string): readonly string[] {
  return text.split(/,(?![^{]*\})/).filter((part) => part !== '');
}
