const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '"': '"',
  '\\': '\\',
};
const CHARACTERS = new Map(Object.entries(ESCAPES).map(([character, escape]) => [escape, character]));

/**
 * Quotes a name with control characters, double quotes or backslashes as git does, even if `core.quotePath` is off. Other names
 * are returned unchanged.
 */
export function quoteCString(name: string): string {
  // oxlint-disable-next-line no-control-regex -- git quotes control characters
  const special = /[\u0000-\u001F\u007F"\\]/g;
  if (!special.test(name)) return name;
  const escaped = name.replaceAll(special, (character) => {
    const octal = character.charCodeAt(0).toString(8).padStart(3, '0');
    return `\\${ESCAPES[character] ?? octal}`;
  });
  return `"${escaped}"`;
}

/**
 * Returns the bytes of a name that git may have quoted as a C string.
 *
 * @param name bytes of the name as Latin-1
 */
export function unquoteCString(name: string): Buffer {
  if (name.length < 2 || !name.startsWith('"') || !name.endsWith('"')) return Buffer.from(name, 'latin1');
  const parts = name.slice(1, -1).matchAll(/\\([0-7]{3}|.)|[^\\]+/gs);
  return Buffer.concat(Array.from(parts, ([text, escape]) => unescapePart(text, escape)));
}

function unescapePart(text: string, escape: string | undefined): Buffer {
  if (escape === undefined) return Buffer.from(text, 'latin1');
  return escape.length === 3 ? Buffer.of(Number.parseInt(escape, 8)) : Buffer.from(CHARACTERS.get(escape) ?? escape);
}
