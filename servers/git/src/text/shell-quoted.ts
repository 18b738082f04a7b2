/** A name as one word of a command that a person may run. */
export function shellQuoted(name: string): string {
  return /^[\w@%+=:,./-]+$/.test(name) && !name.startsWith('-') ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
