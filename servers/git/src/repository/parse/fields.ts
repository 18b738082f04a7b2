import { isUtf8 } from 'node:buffer';

import { spellPath } from '../path-bytes.ts';

/** Output as text to be taken apart, and how what is in it is then written. */
export interface Decoded {
  readonly text: string;
  /** A path or another name, as {@link spellPath} writes it. */
  readonly name: (part: string) => string;
  /** Words of people, whatever they are encoded in. */
  readonly words: (part: string) => string;
}

const asItIs = (part: string): string => part;

/** What is taken apart is never cut within a character, and bytes that are no UTF-8 survive it. */
export function decode(stdout: Buffer): Decoded {
  // The common case costs nothing for each name.
  if (isUtf8(stdout) && !stdout.includes('\\')) return { text: stdout.toString('utf8'), name: asItIs, words: asItIs };
  return { text: stdout.toString('latin1'), name: nameOf, words: (part) => wordsOf(Buffer.from(part, 'latin1')) };
}

/** Names that are written as they are whatever they are read as. */
const PLAIN = /^[\w\-./ ]*$/;

/**
 * How a name is written.
 *
 * @param part its bytes as Latin-1
 */
export function nameOf(part: string): string {
  return PLAIN.test(part) ? part : spellPath(Buffer.from(part, 'latin1'));
}

/** Words as UTF-8; what is none was mostly written in Latin-1, and git knows of no encoding for it. */
export function wordsOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}

/** The beginning of a character of UTF-8, at the end of bytes as Latin-1. */
const CUT_CHARACTER = /(?:[\xC2-\xF4]|[\xE0-\xF4][\x80-\xBF]|[\xF0-\xF4][\x80-\xBF]{2})$/;

/**
 * A body of lines, such as a diff. Files of several encodings may stand in it: where it is not UTF-8, each line is read by itself.
 *
 * @param isCut its last character may be a part of one, which is left out
 */
export function bodyOf(bytes: Buffer, isCut = false): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const text = bytes.toString('latin1');
  const lines = (isCut ? text.replace(CUT_CHARACTER, '') : text).split('\n');
  return lines.map((line) => wordsOf(Buffer.from(line, 'latin1'))).join('\n');
}

/** The fields of output of which each ends with NUL; what follows the last one was cut, or is the end of a line. */
export function fieldsOf(stdout: Buffer): readonly Buffer[] {
  const fields: Buffer[] = [];
  let start = 0;
  for (let end = stdout.indexOf(0); end !== -1; end = stdout.indexOf(0, start)) {
    fields.push(stdout.subarray(start, end));
    start = end + 1;
  }
  return fields;
}

/** The names in output that has nothing else. */
export function decodeList(stdout: Buffer): readonly string[] {
  const { text, name } = decode(stdout);
  return endedFields(text).map(name);
}

/** The words of people in output that has nothing else but object names and numbers. */
export function decodeWords(stdout: Buffer): readonly string[] {
  const { text, words } = decode(stdout);
  return endedFields(text).map(words);
}

/** The fields of a text of which each ends with NUL. */
export function endedFields(text: string): readonly string[] {
  return text.split('\0').slice(0, -1);
}

/** The records of `git for-each-ref`, by a format in which each field ends with NUL. */
export function referenceRecords(text: string, size: number): readonly (readonly string[])[] {
  // git ends each record with a newline, which then stands before the next one's first field.
  return records(endedFields(text), size).map(([name = '', ...facts]) => [name.replace(/^\n/, ''), ...facts]);
}

/** The same of names alone. */
export function decodeReferences(stdout: Buffer): readonly string[] {
  const { text, name } = decode(stdout);
  return referenceRecords(text, 1).map(([first = '']) => name(first));
}

/** Groups of as many fields as one record has; an unfinished last one is left out. */
export function records<Field>(fields: readonly Field[], size: number): readonly (readonly Field[])[] {
  return Array.from({ length: Math.floor(fields.length / size) }, (_, position) =>
    fields.slice(position * size, (position + 1) * size),
  );
}
