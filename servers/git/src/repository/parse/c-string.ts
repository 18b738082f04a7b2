const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v' };

/**
 * The bytes of a name that git may have written as a C string, because it has special characters.
 *
 * @param name its bytes as Latin-1
 */
export function bytesOfCString(name: string): Buffer {
  if (name.length < 2 || !name.startsWith('"') || !name.endsWith('"')) return Buffer.from(name, 'latin1');
  const parts = name.slice(1, -1).matchAll(/\\([0-7]{3}|.)|[^\\]+/gs);
  return Buffer.concat(Array.from(parts, ([text, escape]) => bytesOf(text, escape)));
}

function bytesOf(text: string, escape: string | undefined): Buffer {
  if (escape === undefined) return Buffer.from(text, 'latin1');
  return escape.length === 3 ? Buffer.of(Number.parseInt(escape, 8)) : Buffer.from(ESCAPES[escape] ?? escape);
}
