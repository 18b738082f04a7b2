import { isUtf8 } from 'node:buffer';

import { decodePath } from './path-bytes.ts';

/** Output of git as text that can be split, and functions that decode its parts. */
export interface DecodedOutput {
  readonly text: string;
  /** Decodes a path or another name, as {@link decodePath} does. */
  readonly name: (part: string) => string;
  /** Decodes human text, as {@link decodeText} does. */
  readonly words: (part: string) => string;
}

const identity = (part: string): string => part;

/** Decodes output to text that can be split at any separator without cutting a character or losing bytes that are not UTF-8. */
export function decodeOutput(stdout: Buffer): DecodedOutput {
  // Shortcut for the common case, in which parts need no decoding.
  if (isUtf8(stdout) && !stdout.includes('\\')) return { text: stdout.toString('utf8'), name: identity, words: identity };
  return { text: stdout.toString('latin1'), name: decodeName, words: (part) => decodeText(Buffer.from(part, 'latin1')) };
}

/** Matches common names, which {@link decodePath} returns unchanged. */
const PLAIN = /^[\w\-./ ]*$/;

/**
 * Decodes a name as {@link decodePath} does.
 *
 * @param part bytes of the name as Latin-1
 */
export function decodeName(part: string): string {
  return PLAIN.test(part) ? part : decodePath(Buffer.from(part, 'latin1'));
}

/** Decodes human text as UTF-8 or, if it is not UTF-8, as Windows-1252. Git reports no encoding for text that is not UTF-8. */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}

/** Matches an incomplete UTF-8 character at the end of bytes that were decoded as Latin-1. */
const CUT_CHARACTER = /(?:[\xC2-\xF4]|[\xE0-\xF4][\x80-\xBF]|[\xF0-\xF4][\x80-\xBF]{2})$/;

/**
 * Decodes a text of many lines, such as a diff. It may contain files in several encodings, so text that is not UTF-8 is
 * decoded line by line.
 *
 * @param isCut whether the last character may be incomplete; it is then omitted
 */
export function decodeBody(bytes: Buffer, isCut = false): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const text = bytes.toString('latin1');
  const lines = (isCut ? text.replace(CUT_CHARACTER, '') : text).split('\n');
  return lines.map((line) => decodeText(Buffer.from(line, 'latin1'))).join('\n');
}

/** Splits output into NUL-terminated fields. Bytes after the last NUL are ignored. */
export function splitFields(stdout: Buffer): readonly Buffer[] {
  const fields: Buffer[] = [];
  let start = 0;
  for (let end = stdout.indexOf(0); end !== -1; end = stdout.indexOf(0, start)) {
    fields.push(stdout.subarray(start, end));
    start = end + 1;
  }
  return fields;
}

/** Decodes output that contains only NUL-terminated names. */
export function decodeNames(stdout: Buffer): readonly string[] {
  const { text, name } = decodeOutput(stdout);
  return splitTextFields(text).map(name);
}

/** Decodes output that contains only NUL-terminated human text, object names and numbers. */
export function decodeTexts(stdout: Buffer): readonly string[] {
  const { text, words } = decodeOutput(stdout);
  return splitTextFields(text).map(words);
}

/** Splits text into NUL-terminated fields. Text after the last NUL is ignored. */
export function splitTextFields(text: string): readonly string[] {
  return text.split('\0').slice(0, -1);
}

/** Groups fields into records of the given size. An incomplete last record is omitted. */
export function groupFields<Field>(fields: readonly Field[], size: number): readonly (readonly Field[])[] {
  return Array.from({ length: Math.floor(fields.length / size) }, (_, position) =>
    fields.slice(position * size, (position + 1) * size),
  );
}

/** Splits UTF-8 output into its non-empty lines. */
export function splitLines(stdout: Buffer): readonly string[] {
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
