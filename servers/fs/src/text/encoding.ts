import { isUtf8 } from 'node:buffer';

import { ToolError } from '@org/mcp-decorators';

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'windows-1252', 'shift_jis', 'gbk'] as const;

/** A character encoding. */
export type Encoding = (typeof ENCODINGS)[number];

/** The line endings of a text; `none` for a text without a line break. */
export type Eol = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';

/** A decoded text, and whether it began with a byte order mark. */
export interface Decoded {
  readonly text: string;
  readonly hasBom: boolean;
}

const BOMS: readonly (readonly [Encoding, Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/** Returns the encoding of a byte order mark, or `undefined` without one. */
export function detectBom(bytes: Uint8Array): Encoding | undefined {
  return BOMS.find(([, mark]) => mark.equals(bytes.subarray(0, mark.length)))?.[0];
}

/**
 * Decodes bytes and removes their byte order mark.
 *
 * @throws ToolError ENCODING for bytes that are not valid in the encoding
 */
export async function decode(bytes: Uint8Array, encoding: Encoding): Promise<Decoded> {
  const hasBom = detectBom(bytes) === encoding;
  const text = await TEXTS[encoding](bytes);
  if (text === undefined) {
    throw new ToolError('ENCODING', `the bytes are not valid ${encoding}`, {
      hint: `use another encoding: ${ENCODINGS.join(', ')}`,
    });
  }
  return { text, hasBom };
}

/**
 * Encodes a text, with a byte order mark if `hasBom` is set and the encoding has one.
 *
 * @throws ToolError ENCODING for a character that the encoding does not have
 */
export async function encode(text: string, encoding: Encoding, hasBom: boolean): Promise<Buffer> {
  const bytes = await BYTES[encoding](text);
  const mark = hasBom ? BOMS.find(([marked]) => marked === encoding)?.[1] : undefined;
  return mark === undefined ? bytes : Buffer.concat([mark, bytes]);
}

export function detectEol(text: string): Eol {
  if (!text.includes('\r')) return text.includes('\n') ? 'lf' : 'none';
  const ends = [/\r\n/.test(text) && 'crlf', /(?<!\r)\n/.test(text) && 'lf', /\r(?!\n)/.test(text) && 'cr'] as const;
  const [first = 'none', ...others] = ends.filter((end) => end !== false);
  return others.length > 0 ? 'mixed' : first;
}

/** Returns the end of the last whole character. The bytes must begin with a whole character. */
export function findLastCharacterEnd(bytes: Uint8Array, encoding: Encoding): number {
  return ENDS[encoding](bytes);
}

/**
 * Returns the start of the first whole character in bytes from the middle of a text. For Shift_JIS and GBK, the result is a
 * guess. UTF-16 bytes must begin with a whole unit.
 */
export function findFirstCharacterStart(bytes: Uint8Array, encoding: Encoding): number {
  return STARTS[encoding](bytes);
}

const utf16 = new TextDecoder('utf-16le', { fatal: true });

const TEXTS: Readonly<Record<Encoding, (bytes: Uint8Array) => string | undefined | Promise<string | undefined>>> = {
  'utf-8': (bytes) => (isUtf8(bytes) ? asBuffer(bytes).toString('utf8', detectBom(bytes) === 'utf-8' ? 3 : 0) : undefined),
  'utf-16le': (bytes) => decodeUtf16(bytes),
  'utf-16be': (bytes) => (bytes.length % 2 === 0 ? decodeUtf16(Buffer.from(bytes).swap16()) : undefined),
  latin1: (bytes) => asBuffer(bytes).toString('latin1'),
  'windows-1252': (bytes) => decodeLegacy(bytes, 'windows-1252'),
  shift_jis: (bytes) => decodeLegacy(bytes, 'shift_jis'),
  gbk: (bytes) => decodeLegacy(bytes, 'gbk'),
};

const BYTES: Readonly<Record<Encoding, (text: string) => Buffer | Promise<Buffer>>> = {
  'utf-8': (text) => Buffer.from(requireWellFormed(text, 'utf-8'), 'utf8'),
  'utf-16le': (text) => Buffer.from(requireWellFormed(text, 'utf-16le'), 'utf16le'),
  'utf-16be': (text) => Buffer.from(requireWellFormed(text, 'utf-16be'), 'utf16le').swap16(),
  latin1: (text) => {
    const foreign = /[^\0-\xff]/u.exec(text)?.[0];
    if (foreign !== undefined) throw missingCharacter(foreign, 'latin1');
    return Buffer.from(text, 'latin1');
  },
  'windows-1252': (text) => encodeLegacy(text, 'windows-1252'),
  shift_jis: (text) => encodeLegacy(text, 'shift_jis'),
  gbk: (text) => encodeLegacy(text, 'gbk'),
};

const ENDS: Readonly<Record<Encoding, (bytes: Uint8Array) => number>> = {
  'utf-8': findUtf8End,
  'utf-16le': (bytes) => findUtf16End(bytes, 1),
  'utf-16be': (bytes) => findUtf16End(bytes, 0),
  latin1: (bytes) => bytes.length,
  'windows-1252': (bytes) => bytes.length,
  shift_jis: (bytes) => findPairEnd(bytes, (byte) => (byte > 0x80 && byte < 0xa0) || byte >= 0xe0),
  gbk: (bytes) => findPairEnd(bytes, (byte) => byte > 0x80),
};

const STARTS: Readonly<Record<Encoding, (bytes: Uint8Array) => number>> = {
  'utf-8': findUtf8Start,
  'utf-16le': (bytes) => (isSurrogate(bytes[1], 0xdc) ? 2 : 0),
  'utf-16be': (bytes) => (isSurrogate(bytes[0], 0xdc) ? 2 : 0),
  latin1: () => 0,
  'windows-1252': () => 0,
  shift_jis: findPairStart,
  gbk: findPairStart,
};

function decodeUtf16(bytes: Uint8Array): string | undefined {
  try {
    return utf16.decode(bytes);
  } catch {
    return undefined;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function decodeLegacy(bytes: Uint8Array, encoding: Encoding): Promise<string | undefined> {
  const { default: iconv } = await import('iconv-lite');
  const text = iconv.decode(asBuffer(bytes), encoding);
  return text.includes('\ufffd') ? undefined : text;
}

async function encodeLegacy(text: string, encoding: Encoding): Promise<Buffer> {
  const { default: iconv } = await import('iconv-lite');
  const bytes = iconv.encode(text, encoding);
  const back = iconv.decode(bytes, encoding);
  if (back !== text) throw missingCharacter(findDifference(text, back), encoding);
  return bytes;
}

function findDifference(text: string, other: string): string {
  let index = 0;
  while (index < text.length && text[index] === other[index]) index += 1;
  return String.fromCodePoint(text.codePointAt(index) ?? 0xfffd);
}

function requireWellFormed(text: string, encoding: Encoding): string {
  const lone = /\p{Surrogate}/u.exec(text)?.[0];
  if (lone !== undefined) throw missingCharacter(lone, encoding);
  return text;
}

function missingCharacter(character: string, encoding: Encoding): ToolError {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return new ToolError('ENCODING', `${encoding} has no character ${JSON.stringify(character)} (U+${code})`, {
    hint: 'omit the character, or write the file in utf-8',
  });
}

function findUtf8End(bytes: Uint8Array): number {
  let start = bytes.length;
  while (start > 0 && bytes.length - start < 4) {
    start -= 1;
    const byte = bytes[start] ?? 0;
    if ((byte & 0xc0) !== 0x80) return start + readUtf8Length(byte) > bytes.length ? start : bytes.length;
  }
  return bytes.length;
}

function findUtf8Start(bytes: Uint8Array): number {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}

function readUtf8Length(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function findUtf16End(bytes: Uint8Array, high: 0 | 1): number {
  const end = bytes.length - (bytes.length % 2);
  return isSurrogate(bytes[end - 2 + high], 0xd8) ? end - 2 : end;
}

/** Returns whether a UTF-16 unit with this high byte is a high surrogate (`mark` 0xd8) or a low surrogate (`mark` 0xdc). */
function isSurrogate(high: number | undefined, mark: 0xd8 | 0xdc): boolean {
  return high !== undefined && (high & 0xfc) === mark;
}

function findPairEnd(bytes: Uint8Array, leads: (byte: number) => boolean): number {
  let position = 0;
  while (position < bytes.length) {
    const length = leads(bytes[position] ?? 0) ? 2 : 1;
    if (position + length > bytes.length) return position;
    position += length;
  }
  return position;
}

/**
 * Returns the position after the first byte below 0x40. The second byte of a character is never below 0x40, so a character
 * starts at this position. Returns 0 if no byte is below 0x40.
 */
function findPairStart(bytes: Uint8Array): number {
  return bytes.findIndex((byte) => byte < 0x40) + 1;
}
