import { isUtf8 } from 'node:buffer';

import { ToolError } from '@org/mcp-decorators';

import { looksLikeGbk, looksLikeShiftJis } from './legacy.ts';

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'windows-1252', 'shift_jis', 'gbk'] as const;

/** How a text is written as bytes. */
export type Encoding = (typeof ENCODINGS)[number];

/** How lines end; `none` where there is one line without end. */
export type Eol = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';

/** A text, and whether a byte order mark stood before it. */
export interface Decoded {
  readonly text: string;
  readonly hasBom: boolean;
}

type Wide = Extract<Encoding, 'utf-16le' | 'utf-16be'>;

const BOMS: readonly (readonly [Encoding, Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/** No text has more control characters than one in so many, apart from those of white space, backspace and escape. */
const CONTROL_SHARE = 100;

/** Of the units of UTF-16 without byte order mark at least two in three have to be of ASCII or Latin-1: their other byte is NUL. */
const NARROW_SHARE = 2 / 3;

/**
 * The encoding of bytes that are text, `undefined` for others: by their byte order mark, as UTF-8 if they are valid, as UTF-16 by
 * where their NULs are, and else the likeliest of the old ones.
 *
 * @param isWhole `false` if a text may go on behind the bytes, so that the last character need not be whole
 */
export function detectEncoding(bytes: Uint8Array, isWhole = true): Encoding | undefined {
  const marked = markedEncoding(bytes);
  if (marked === 'utf-8') return marked;
  if (marked !== undefined) return hasZeroUnit(bytes) ? undefined : marked;
  if (bytes.includes(0)) return wideByZeros(isWhole ? bytes : bytes.subarray(0, bytes.length - (bytes.length % 2)));
  if (isUtf8(isWhole ? bytes : bytes.subarray(0, endOfCharacters(bytes, 'utf-8')))) return 'utf-8';
  return hasManyControls(bytes) ? undefined : oldEncodingOf(bytes);
}

/** The encoding that a byte order mark names. */
export function markedEncoding(bytes: Uint8Array): Encoding | undefined {
  return BOMS.find(([, mark]) => mark.equals(bytes.subarray(0, mark.length)))?.[0];
}

/**
 * The text of bytes, without their byte order mark.
 *
 * @throws ToolError ENCODING for bytes that the encoding has no character for
 */
export async function decode(bytes: Uint8Array, encoding: Encoding): Promise<Decoded> {
  const hasBom = markedEncoding(bytes) === encoding;
  const text = await TEXTS[encoding](bytes);
  if (text === undefined) {
    throw new ToolError('ENCODING', `the bytes are not valid ${encoding}`, {
      hint: `name another encoding: ${ENCODINGS.join(', ')}`,
    });
  }
  return { text, hasBom };
}

/**
 * The bytes of a text, after a byte order mark where one is asked for and the encoding has one.
 *
 * @throws ToolError ENCODING for a character that the encoding lacks
 */
export async function encode(text: string, encoding: Encoding, hasBom: boolean): Promise<Buffer> {
  const bytes = await BYTES[encoding](text);
  const mark = hasBom ? BOMS.find(([marked]) => marked === encoding)?.[1] : undefined;
  return mark === undefined ? bytes : Buffer.concat([mark, bytes]);
}

export function eolOf(text: string): Eol {
  if (!text.includes('\r')) return text.includes('\n') ? 'lf' : 'none';
  const ends = [/\r\n/.test(text) && 'crlf', /(?<!\r)\n/.test(text) && 'lf', /\r(?!\n)/.test(text) && 'cr'] as const;
  const [first = 'none', ...others] = ends.filter((end) => end !== false);
  return others.length > 0 ? 'mixed' : first;
}

/** Where the last whole character of bytes ends that begin with a whole one. */
export function endOfCharacters(bytes: Uint8Array, encoding: Encoding): number {
  return ENDS[encoding](bytes);
}

/** Where the first whole character begins in bytes from the middle of a text; a guess where one byte does not tell. */
export function startOfCharacters(bytes: Uint8Array, encoding: Encoding): number {
  return STARTS[encoding](bytes);
}

const utf16 = new TextDecoder('utf-16le', { fatal: true });

const TEXTS: Readonly<Record<Encoding, (bytes: Uint8Array) => string | undefined | Promise<string | undefined>>> = {
  'utf-8': (bytes) => (isUtf8(bytes) ? viewOf(bytes).toString('utf8', markedEncoding(bytes) === 'utf-8' ? 3 : 0) : undefined),
  'utf-16le': (bytes) => fromUtf16(bytes),
  'utf-16be': (bytes) => (bytes.length % 2 === 0 ? fromUtf16(Buffer.from(bytes).swap16()) : undefined),
  latin1: (bytes) => viewOf(bytes).toString('latin1'),
  'windows-1252': (bytes) => fromLegacy(bytes, 'windows-1252'),
  shift_jis: (bytes) => fromLegacy(bytes, 'shift_jis'),
  gbk: (bytes) => fromLegacy(bytes, 'gbk'),
};

const BYTES: Readonly<Record<Encoding, (text: string) => Buffer | Promise<Buffer>>> = {
  'utf-8': (text) => Buffer.from(wellFormed(text, 'utf-8'), 'utf8'),
  'utf-16le': (text) => Buffer.from(wellFormed(text, 'utf-16le'), 'utf16le'),
  'utf-16be': (text) => Buffer.from(wellFormed(text, 'utf-16be'), 'utf16le').swap16(),
  latin1: (text) => {
    const foreign = /[^\0-\xff]/u.exec(text)?.[0];
    if (foreign !== undefined) throw lacking(foreign, 'latin1');
    return Buffer.from(text, 'latin1');
  },
  'windows-1252': (text) => toLegacy(text, 'windows-1252'),
  shift_jis: (text) => toLegacy(text, 'shift_jis'),
  gbk: (text) => toLegacy(text, 'gbk'),
};

const ENDS: Readonly<Record<Encoding, (bytes: Uint8Array) => number>> = {
  'utf-8': endOfUtf8,
  'utf-16le': (bytes) => endOfUtf16(bytes, 1),
  'utf-16be': (bytes) => endOfUtf16(bytes, 0),
  latin1: (bytes) => bytes.length,
  'windows-1252': (bytes) => bytes.length,
  shift_jis: (bytes) => endOfPairs(bytes, (byte) => (byte > 0x80 && byte < 0xa0) || byte >= 0xe0),
  gbk: (bytes) => endOfPairs(bytes, (byte) => byte > 0x80),
};

const STARTS: Readonly<Record<Encoding, (bytes: Uint8Array) => number>> = {
  'utf-8': startOfUtf8,
  'utf-16le': (bytes) => (isHalf(bytes[1], 0xdc) ? 2 : 0),
  'utf-16be': (bytes) => (isHalf(bytes[0], 0xdc) ? 2 : 0),
  latin1: () => 0,
  'windows-1252': () => 0,
  shift_jis: startOfPairs,
  gbk: startOfPairs,
};

function fromUtf16(bytes: Uint8Array): string | undefined {
  try {
    return utf16.decode(bytes);
  } catch {
    return undefined;
  }
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function fromLegacy(bytes: Uint8Array, encoding: Encoding): Promise<string | undefined> {
  const { default: iconv } = await import('iconv-lite');
  const text = iconv.decode(viewOf(bytes), encoding);
  return text.includes('\ufffd') ? undefined : text;
}

async function toLegacy(text: string, encoding: Encoding): Promise<Buffer> {
  const { default: iconv } = await import('iconv-lite');
  const bytes = iconv.encode(text, encoding);
  const back = iconv.decode(bytes, encoding);
  if (back !== text) throw lacking(firstDifference(text, back), encoding);
  return bytes;
}

function firstDifference(text: string, other: string): string {
  let index = 0;
  while (index < text.length && text[index] === other[index]) index += 1;
  return String.fromCodePoint(text.codePointAt(index) ?? 0xfffd);
}

function wellFormed(text: string, encoding: Encoding): string {
  const lone = /\p{Surrogate}/u.exec(text)?.[0];
  if (lone !== undefined) throw lacking(lone, encoding);
  return text;
}

function lacking(character: string, encoding: Encoding): ToolError {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return new ToolError('ENCODING', `${encoding} has no character ${JSON.stringify(character)} (U+${code})`, {
    hint: 'leave it out, or write the file in utf-8',
  });
}

function wideByZeros(bytes: Uint8Array): Wide | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const zeros: [even: number, odd: number] = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  if (Math.min(even, odd) > 0 || Math.max(even, odd) < (bytes.length / 2) * NARROW_SHARE) return undefined;
  return even > 0 ? 'utf-16be' : 'utf-16le';
}

function hasZeroUnit(bytes: Uint8Array): boolean {
  for (let index = 0; index + 1 < bytes.length; index += 2) if (bytes[index] === 0 && bytes[index + 1] === 0) return true;
  return false;
}

function oldEncodingOf(bytes: Uint8Array): Encoding {
  if (looksLikeShiftJis(bytes)) return 'shift_jis';
  return looksLikeGbk(bytes) ? 'gbk' : latinOf(bytes);
}

function hasManyControls(bytes: Uint8Array): boolean {
  const controls = bytes.reduce(
    (count, byte) => count + (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b ? 1 : 0),
    0,
  );
  return controls * CONTROL_SHARE > bytes.length;
}

/** Of ISO 8859-1 the bytes 80 to 9F are control characters; text has them as the quotes and dashes of Windows-1252, which lacks five. */
function latinOf(bytes: Uint8Array): Encoding {
  const isWindows = bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
  return isWindows && !bytes.some((byte) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)) ? 'windows-1252' : 'latin1';
}

function endOfUtf8(bytes: Uint8Array): number {
  let start = bytes.length;
  while (start > 0 && bytes.length - start < 4) {
    start -= 1;
    const byte = bytes[start] ?? 0;
    if ((byte & 0xc0) !== 0x80) return start + lengthOfUtf8(byte) > bytes.length ? start : bytes.length;
  }
  return bytes.length;
}

function startOfUtf8(bytes: Uint8Array): number {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}

function lengthOfUtf8(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function endOfUtf16(bytes: Uint8Array, high: 0 | 1): number {
  const end = bytes.length - (bytes.length % 2);
  return isHalf(bytes[end - 2 + high], 0xd8) ? end - 2 : end;
}

/** Whether the high byte of a unit is that of one half of a character. */
function isHalf(high: number | undefined, mark: 0xd8 | 0xdc): boolean {
  return high !== undefined && (high & 0xfc) === mark;
}

function endOfPairs(bytes: Uint8Array, leads: (byte: number) => boolean): number {
  let position = 0;
  while (position < bytes.length) {
    const length = leads(bytes[position] ?? 0) ? 2 : 1;
    if (position + length > bytes.length) return position;
    position += length;
  }
  return position;
}

/** No second byte of a character is as small as these of ASCII: digits, most punctuation, white space. */
function startOfPairs(bytes: Uint8Array): number {
  return bytes.findIndex((byte) => byte < 0x40) + 1;
}
