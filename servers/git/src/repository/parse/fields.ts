import { isUtf8 } from 'node:buffer';

import { spellPath } from '../path-bytes.ts';

/** Output as text to be taken apart, and how a path or another name in it is then written. */
export interface Decoded {
  readonly text: string;
  /** As {@link spellPath} writes it. */
  readonly name: (part: string) => string;
  /** Words of people, whatever they are encoded in. */
  readonly words: (part: string) => string;
}

const asItIs = (part: string): string => part;

/** What is taken apart is never cut within a character, and bytes that are no UTF-8 survive it. */
export function decode(stdout: Buffer): Decoded {
  // The common case costs nothing for each name.
  if (isUtf8(stdout) && !stdout.includes('\\')) return { text: stdout.toString('utf8'), name: asItIs, words: asItIs };
  return {
    text: stdout.toString('latin1'),
    name: (part) => spellPath(Buffer.from(part, 'latin1')),
    words: (part) => wordsOf(Buffer.from(part, 'latin1')),
  };
}

/** Words as UTF-8; what is none was mostly written in Latin-1, and git knows of no encoding for it. */
export function wordsOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}

/** The fields of output of which each ends with NUL. */
export function fieldsOf(stdout: Buffer): readonly Buffer[] {
  const fields: Buffer[] = [];
  let start = 0;
  for (let end = stdout.indexOf(0); end !== -1; end = stdout.indexOf(0, start)) {
    fields.push(stdout.subarray(start, end));
    start = end + 1;
  }
  return fields;
}

/** The names in output that ends each with NUL; what follows the last NUL was cut, or is the end of a line. */
export function decodeList(stdout: Buffer): readonly string[] {
  const { text, name } = decode(stdout);
  return text.split('\0').slice(0, -1).map(name);
}

/** Groups of as many fields as one record has; an unfinished last one is left out. */
export function records(fields: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.floor(fields.length / size) }, (_, position) =>
    fields.slice(position * size, (position + 1) * size),
  );
}
