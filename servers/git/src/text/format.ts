const SHORT = 12;

/** Returns the first 12 digits of an object name. */
export function shortOid(oid: string): string {
  return oid.slice(0, SHORT);
}

/** Formats a number with its noun: `1 file`, `2 files`. */
export function formatCount(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Quotes a name as one word of a POSIX shell command. */
export function quoteForShell(name: string): string {
  return /^[\w@%+=:,./-]+$/.test(name) && !name.startsWith('-') ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
