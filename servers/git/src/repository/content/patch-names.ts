import { isUtf8 } from 'node:buffer';

import { decodeBody } from '../parse/fields.ts';
import { decodePath } from '../parse/path-bytes.ts';

/** Matches the header of a file, for bytes as Latin-1. A line of the file's content never begins with `diff`. */
const HEADER = /^diff --git .*\n(?:(?!@@|diff ).*\n?)*/gm;
/** Matches a line of a header that ends with one name, and the tab that git writes after a name with spaces. */
const NAMED = /^(--- a\/|\+\+\+ b\/|(?:rename|copy) (?:from|to) )([^"\n][^\t\n]*)(\t?)$/gm;
/** Matches a line of a header with the name before and after the change. */
const PAIRED = /^(diff --git |Binary files )(a\/.*)$/gm;

/**
 * Decodes a patch as {@link decodeBody} does, but quotes names that are not UTF-8 as {@link decodePath} does:
 * `--- "a/caf\351.txt"`. Git accepts this form in a patch, and tools accept this form as a path.
 */
export function decodePatch(patch: Buffer, isCut = false): string {
  if (isUtf8(patch)) return patch.toString('utf8');
  const quoted = patch.toString('latin1').replaceAll(HEADER, quoteNames);
  return decodeBody(Buffer.from(quoted, 'latin1'), isCut);
}

/** Matches the names of a renamed or copied file. */
const MOVED = /^(?:rename|copy) from (.*)\n(?:rename|copy) to (.*)$/m;

function quoteNames(header: string): string {
  const [, from, to] = MOVED.exec(header) ?? [];
  return header
    .replaceAll(PAIRED, (line: string, start: string, names: string) => {
      const isMoved = names === `a/${from} b/${to}`;
      const pair = isMoved ? { before: `a/${from}`, between: ' ', after: `b/${to}`, end: '' } : splitPair(names);
      return pair === undefined ? line : `${start}${quoteName(pair.before)}${pair.between}${quoteName(pair.after)}${pair.end}`;
    })
    .replaceAll(NAMED, (_, start: string, name: string, end: string) => {
      const prefix = start.endsWith('/') ? start.slice(-2) : '';
      return `${start.slice(0, start.length - prefix.length)}${quoteName(`${prefix}${name}`)}${end}`;
    });
}

interface Pair {
  readonly before: string;
  readonly between: string;
  readonly after: string;
  readonly end: string;
}

/**
 * Splits `a/NAME b/NAME` or `a/NAME and b/NAME differ`. Returns `undefined` if the names differ: names can contain spaces, so
 * such a pair cannot be split.
 */
function splitPair(names: string): Pair | undefined {
  const end = names.endsWith(' differ') ? ' differ' : '';
  const between = end === '' ? ' ' : ' and ';
  const pair = names.slice(0, names.length - end.length);
  const length = (pair.length - between.length) / 2;
  const [before, after] = [pair.slice(0, length), pair.slice(length + between.length)];
  return Number.isInteger(length) && before.slice(2) === after.slice(2) ? { before, between, after, end } : undefined;
}

/** @param name bytes of a name as Latin-1; the result also consists of bytes as Latin-1 */
function quoteName(name: string): string {
  const bytes = Buffer.from(name, 'latin1');
  return isUtf8(bytes) ? name : Buffer.from(decodePath(bytes)).toString('latin1');
}
