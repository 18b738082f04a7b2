/** The ways to write a name in Unicode that look the same, the given one first. */
export function spellingsOf(name: string): readonly string[] {
  // Nearly all names: nothing in them can be written in another way.
  if (!/[^ -~]/.test(name)) return [name];
  return [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
}

/** The form in which names are compared that look the same. */
export function normalForm(name: string): string {
  return /[^ -~]/.test(name) ? name.normalize('NFC') : name;
}
