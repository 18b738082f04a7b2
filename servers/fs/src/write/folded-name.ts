/** A name in the one form that all spellings have which some file systems hold for one. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
