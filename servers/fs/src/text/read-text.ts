import { isUtf8 } from 'node:buffer';

import { ToolError } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import { decode, detectBom, detectEol, type Encoding, type Eol, findLastCharacterEnd } from './encoding.ts';
import { numberLines, selectLineEnds } from './lines.ts';
import { firstChunkLength, skipLines, type Source } from './read-chunks.ts';
import { readWindow, type LineRange, type Window } from './read-window.ts';

/** A requested text. */
export interface TextRequest {
  /** The path as the caller wrote it, for error messages. */
  readonly given: string;
  readonly range: LineRange;
  readonly encoding: Encoding | 'auto';
  readonly maxBytes: number;
  readonly maxLineBytes?: number | undefined;
  /** Whether each line of the text begins with the number of the line and a tab. */
  readonly lineNumbers?: boolean;
  /** Whether the caller requested more lines than `range`, which was reduced so that the text fits into the result. */
  readonly isShortened?: boolean;
  readonly signal: AbortSignal;
}

/** Lines of a text and facts about them. */
export interface TextLines extends Omit<Window, 'bytes' | 'position'> {
  readonly text: string;
  readonly encoding: Encoding;
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
  /** Line endings of the lines in the window. */
  readonly eol: Eol;
  /** Number of the last line, from 1; `undefined` if the number of the first line is unknown or the window is empty. */
  readonly endLine: number | undefined;
  /** Number of bytes of the window in the file, whose encoding may differ from the encoding of the result. */
  readonly windowBytes: number;
}

/** Maximum number of bytes that are read to number the last lines if the caller requested no line numbers. */
const MAX_COUNTED = 16_777_216;

/**
 * Reads a window of lines as text.
 *
 * @throws ToolError BINARY_FILE for bytes that are not text; ENCODING for bytes that are invalid in the encoding;
 * INVALID_ARGUMENTS for an impossible `skipBytes`
 */
export async function readText(source: Source, request: TextRequest): Promise<TextLines> {
  const sample = await readSample(source);
  const expected = chooseEncoding(sample, source, request);
  const { bytes, position, ...window } = await readWindow(source, request.range, { ...request, encoding: expected });
  const { text, encoding } = await decodeWindow(bytes, expected, request);
  const isCounted = request.lineNumbers === true || (isCutShort(window, request) && position <= MAX_COUNTED);
  const startLine = window.startLine ?? (isCounted ? await findLineNumber(source, position, expected, request) : undefined);
  return {
    ...window,
    text: request.lineNumbers === true && startLine !== undefined ? numberLines(text, startLine) : text,
    encoding,
    bom: detectBom(sample) === encoding,
    eol: detectEol(text),
    startLine,
    endLine: startLine === undefined || window.lines === 0 ? undefined : startLine + window.lines - 1,
    windowBytes: bytes.length,
  };
}

/** Returns whether the window omits lines that exist and that the caller requested. */
function isCutShort(
  { lines, truncated, cut }: Pick<Window, 'lines' | 'truncated' | 'cut'>,
  { range, isShortened = false }: TextRequest,
): boolean {
  return truncated && (cut || isShortened || lines < (range.limit ?? Infinity));
}

async function readSample(source: Source): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(firstChunkLength(source.size));
  return buffer.subarray(0, await source.readInto(buffer, 0));
}

function chooseEncoding(sample: Buffer, source: Source, { encoding, given }: TextRequest): Encoding {
  if (encoding !== 'auto') return encoding;
  const detected = detectEncoding(sample, sample.length < firstChunkLength(source.size));
  if (detected === undefined) throw notText(given, sample);
  return detected;
}

/**
 * Decodes a window. If its bytes are invalid in the expected encoding, `auto` detects the encoding again. A file may begin with
 * ASCII only, which does not show its encoding.
 *
 * @throws ToolError BINARY_FILE, ENCODING
 */
async function decodeWindow(
  bytes: Buffer,
  expected: Encoding,
  { encoding, given }: TextRequest,
): Promise<{ readonly text: string; readonly encoding: Encoding }> {
  if (encoding === 'auto' && !isWide(expected) && bytes.includes(0)) throw notText(given);
  try {
    return { text: (await decode(bytes, expected)).text, encoding: expected };
  } catch (error) {
    const other = encoding === 'auto' ? detectEncoding(bytes) : undefined;
    if (other === undefined || other === expected) throw error;
    return { text: (await decode(bytes, other)).text, encoding: other };
  }
}

function isWide(encoding: Encoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be';
}

/**
 * Returns the number of the line at a position; `undefined` if the bytes before it are not text.
 *
 * @throws ToolError BINARY_FILE instead of `undefined` if the caller requested line numbers
 */
async function findLineNumber(
  source: Source,
  position: number,
  encoding: Encoding,
  { given, lineNumbers = false, signal }: TextRequest,
): Promise<number | undefined> {
  const { lines, isHole } = await skipLines(source, Number.POSITIVE_INFINITY, {
    ends: selectLineEnds(encoding),
    until: position,
    signal,
  });
  if (isHole && lineNumbers) throw notText(given);
  return isHole ? undefined : lines + 1;
}

function notText(given: string, sample?: Buffer): ToolError {
  const start = sample?.subarray(0, MARK_BYTES).toString('latin1') ?? '';
  const advice = DOCUMENT_MARKS.some((mark) => start.startsWith(mark)) ? 'read_document reads PDF and Office files; ' : '';
  return new ToolError('BINARY_FILE', `${quotePath(given)} is not a text file`, {
    hint: `${advice}read_media_file reads the file as bytes`,
  });
}

/** First bytes of PDF files and of ZIP archives, which Office files are. */
const DOCUMENT_MARKS = ['%PDF-', 'PK\u0003\u0004'];
const MARK_BYTES = 5;

type Wide = Extract<Encoding, 'utf-16le' | 'utf-16be'>;

/**
 * Bytes in a legacy encoding are a text if they contain, on average, at most one control character in this number of bytes. White
 * space, backspace and escape do not count.
 */
const BYTES_PER_CONTROL = 100;

/** Minimum share of ASCII or Latin-1 units, whose other byte is NUL, in UTF-16 without a byte order mark. */
const MIN_NARROW_SHARE = 2 / 3;

/**
 * Detects the encoding of a text. A byte order mark decides first, then the positions of NUL bytes (UTF-16), then whether the
 * bytes are valid UTF-8. Otherwise, the result is the most likely legacy encoding. Returns `undefined` if the bytes are not
 * text.
 *
 * @param isWhole `false` if the text may continue, so that the last character may be incomplete
 */
export function detectEncoding(bytes: Uint8Array, isWhole = true): Encoding | undefined {
  const marked = detectBom(bytes);
  if (marked === 'utf-8') return marked;
  if (marked !== undefined) return hasZeroUnit(bytes) ? undefined : marked;
  if (bytes.includes(0)) return detectUtf16(isWhole ? bytes : bytes.subarray(0, bytes.length - (bytes.length % 2)));
  if (isUtf8(isWhole ? bytes : bytes.subarray(0, findLastCharacterEnd(bytes, 'utf-8')))) return 'utf-8';
  return hasManyControls(bytes) ? undefined : detectLegacy(bytes);
}

function detectUtf16(bytes: Uint8Array): Wide | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const zeros: [even: number, odd: number] = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  if (Math.min(even, odd) > 0 || Math.max(even, odd) < (bytes.length / 2) * MIN_NARROW_SHARE) return undefined;
  return even > 0 ? 'utf-16be' : 'utf-16le';
}

function hasZeroUnit(bytes: Uint8Array): boolean {
  for (let index = 0; index + 1 < bytes.length; index += 2) if (bytes[index] === 0 && bytes[index + 1] === 0) return true;
  return false;
}

function detectLegacy(bytes: Uint8Array): Encoding {
  if (looksLikeShiftJis(bytes)) return 'shift_jis';
  return looksLikeGbk(bytes) ? 'gbk' : detectLatin(bytes);
}

function hasManyControls(bytes: Uint8Array): boolean {
  const controls = bytes.reduce(
    (count, byte) => count + (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b ? 1 : 0),
    0,
  );
  return controls * BYTES_PER_CONTROL > bytes.length;
}

/**
 * Distinguishes Windows-1252 from ISO 8859-1. The bytes 80 to 9F are control characters in ISO 8859-1, but quotes and dashes in
 * Windows-1252, except for five unused bytes.
 */
function detectLatin(bytes: Uint8Array): Encoding {
  const isWindows = bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
  return isWindows && !bytes.some((byte) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)) ? 'windows-1252' : 'latin1';
}

/** In Japanese, at least one in this number of two-byte characters is a kana, a comma or a full stop. */
const PAIRS_PER_KANA = 5;

/** In Chinese, at least one in this number of two-byte characters is punctuation or a common character of GB 2312. */
const PAIRS_PER_COMMON = 2;

/** Minimum number of two-byte characters, because two adjacent accented letters look like one two-byte character. */
const MIN_PAIRS = 2;

/** Returns whether the bytes are Shift-JIS text with kana. Western text can be valid Shift-JIS, but rarely contains kana. */
function looksLikeShiftJis(bytes: Uint8Array): boolean {
  const found = readPairs(bytes, {
    leads: isShiftJisLead,
    trails: (byte) => byte >= 0x40 && byte !== 0x7f && byte <= 0xfc,
    alone: isKatakana,
  });
  if (found === undefined || found.length < MIN_PAIRS) return false;
  return found.filter(isKana).length * PAIRS_PER_KANA >= found.length;
}

/** Returns whether the bytes are GBK text, at least half of whose two-byte characters are common. */
function looksLikeGbk(bytes: Uint8Array): boolean {
  const found = readPairs(bytes, { leads: (byte) => byte > 0x80 && byte < 0xff, trails: isGbkTrail, alone: () => false });
  if (found === undefined || found.length < MIN_PAIRS) return false;
  return found.filter(isCommon).length * PAIRS_PER_COMMON >= found.length;
}

interface Pairing {
  readonly leads: (byte: number) => boolean;
  readonly trails: (byte: number) => boolean;
  /** Returns whether a non-ASCII byte is a character of its own. */
  readonly alone: (byte: number) => boolean;
}

/** Returns the two-byte characters as numbers, or `undefined` if a byte is invalid. The last character may be incomplete. */
function readPairs(bytes: Uint8Array, { leads, trails, alone }: Pairing): readonly number[] | undefined {
  const pairs: number[] = [];
  for (let index = 0; index < bytes.length; index += 1) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80 || alone(lead)) continue;
    const trail = bytes[index + 1];
    if (!leads(lead)) return undefined;
    if (trail === undefined) break;
    if (!trails(trail)) return undefined;
    pairs.push(lead * 256 + trail);
    index += 1;
  }
  return pairs;
}

function isShiftJisLead(byte: number): boolean {
  return (byte > 0x80 && byte < 0xa0) || (byte >= 0xe0 && byte <= 0xfc);
}

function isKatakana(byte: number): boolean {
  return byte > 0xa0 && byte < 0xe0;
}

// Returns whether a character of Shift-JIS is a comma, a full stop, a hiragana or a katakana.
function isKana(pair: number): boolean {
  return pair === 0x8141 || pair === 0x8142 || (pair >= 0x829f && pair <= 0x82f1) || (pair >= 0x8340 && pair <= 0x8396);
}

function isGbkTrail(byte: number): boolean {
  return byte >= 0x40 && byte !== 0x7f && byte !== 0xff;
}

// Returns whether a character of GBK is punctuation or a first-level character of GB 2312.
function isCommon(pair: number): boolean {
  const isGb2312 = (pair & 0xff) >= 0xa1;
  const lead = pair >> 8;
  return isGb2312 && (lead === 0xa1 || lead === 0xa3 || (lead >= 0xb0 && lead <= 0xd7));
}
