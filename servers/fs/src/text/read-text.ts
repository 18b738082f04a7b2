import { ToolError } from '@org/mcp-decorators';
import { spelled } from '@org/mcp-roots';

import { decode, detectEncoding, eolOf, markedEncoding, type Encoding, type Eol } from './encoding.ts';
import { lineEndsOf } from './line-ends.ts';
import { firstLength } from './read-ahead.ts';
import { readWindow } from './read-window.ts';
import { skipLines } from './skip-lines.ts';
import type { Source } from './source.ts';
import type { LineRange, Window } from './window.ts';

/** Which text is wanted of a source, and how. */
export interface TextRequest {
  /** As the caller spelled it, for messages. */
  readonly given: string;
  readonly range: LineRange;
  readonly encoding: Encoding | 'auto';
  readonly maxBytes: number;
  readonly maxLineBytes?: number | undefined;
  /** Begin each line with its number and a tab. */
  readonly lineNumbers?: boolean;
  /** The caller requested more lines than the range. */
  readonly isShortened?: boolean;
  readonly signal: AbortSignal;
}

/** Lines of a text, and what a reader has to know of it. */
export interface TextLines extends Omit<Window, 'bytes' | 'position'> {
  readonly text: string;
  readonly encoding: Encoding;
  /** The file begins with a byte order mark. */
  readonly bom: boolean;
  /** Of the lines that were read. */
  readonly eol: Eol;
  /** 1-based number of the last line, where that of the first is known. */
  readonly endLine: number | undefined;
  /** Bytes of the window in the file. */
  readonly windowBytes: number;
}

/** Bytes before the last lines that are read to know the number of the first, even if the caller requested no line numbers. */
const MOST_COUNTED = 16_777_216;

/**
 * Reads a window of lines as text.
 *
 * @throws ToolError BINARY_FILE, ENCODING
 */
export async function readText(source: Source, request: TextRequest): Promise<TextLines> {
  const sample = await sampleOf(source);
  const expected = expectedEncoding(sample, source, request);
  const { bytes, position, ...window } = await readWindow(source, request.range, { ...request, encoding: expected });
  const { text, encoding } = await decoded(bytes, expected, request);
  const isCounted = request.lineNumbers === true || (isCutShort(window, request) && position <= MOST_COUNTED);
  const startLine = window.startLine ?? (isCounted ? await lineAt(source, position, expected, request) : undefined);
  return {
    ...window,
    text: request.lineNumbers === true && startLine !== undefined ? numbered(text, startLine) : text,
    encoding,
    bom: markedEncoding(sample) === encoding,
    eol: eolOf(text),
    startLine,
    endLine: startLine === undefined || window.lines === 0 ? undefined : startLine + window.lines - 1,
    windowBytes: bytes.length,
  };
}

/** Returns whether the caller gets fewer lines than the source has and the caller requested. */
function isCutShort(
  { lines, truncated, cut }: Pick<Window, 'lines' | 'truncated' | 'cut'>,
  { range, isShortened = false }: TextRequest,
): boolean {
  return truncated && (cut || isShortened || lines < (range.limit ?? Infinity));
}

async function sampleOf(source: Source): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(firstLength(source.size));
  return buffer.subarray(0, await source.readInto(buffer, 0));
}

function expectedEncoding(sample: Buffer, source: Source, { encoding, given }: TextRequest): Encoding {
  if (encoding !== 'auto') return encoding;
  const detected = detectEncoding(sample, sample.length < firstLength(source.size));
  if (detected === undefined) throw binary(given);
  return detected;
}

/** The beginning of a file may be of ASCII alone, and tell nothing of what comes later. */
async function decoded(
  bytes: Buffer,
  expected: Encoding,
  { encoding, given }: TextRequest,
): Promise<{ readonly text: string; readonly encoding: Encoding }> {
  if (encoding === 'auto' && !isWide(expected) && bytes.includes(0)) throw binary(given);
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
async function lineAt(
  source: Source,
  position: number,
  encoding: Encoding,
  { given, lineNumbers = false, signal }: TextRequest,
): Promise<number | undefined> {
  const { lines, isHole } = await skipLines(source, Number.POSITIVE_INFINITY, {
    ends: lineEndsOf(encoding),
    until: position,
    signal,
  });
  if (isHole && lineNumbers) throw binary(given);
  return isHole ? undefined : lines + 1;
}

function numbered(text: string, first: number): string {
  const lines = text.split('\n');
  const last = lines.at(-1) === '' ? lines.pop() : undefined;
  const shown = lines.map((line, index) => `${first + index}\t${line}`);
  return [...shown, ...(last === undefined ? [] : [last])].join('\n');
}

function binary(given: string): ToolError {
  return new ToolError('BINARY_FILE', `${spelled(given)} is not a text file`, { hint: 'read_media_file reads it as bytes' });
}
