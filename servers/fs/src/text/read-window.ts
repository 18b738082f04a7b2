import { ToolError } from '@org/mcp-decorators';

import { findFirstCharacterStart, findLastCharacterEnd, type Encoding } from './encoding.ts';
import {
  LineCollector,
  LineShortener,
  countLines,
  endsLine,
  isHole,
  selectLineEnds,
  skipLinesInBytes,
  type LineEnds,
} from './lines.ts';
import { CHUNK, FIRST_CHUNK, readChunks, skipLines, type Source } from './read-chunks.ts';

/** A range of lines from the start or the end of a file. */
export type LineRange =
  | {
      readonly from: 'start';
      /** Number of lines to skip. */
      readonly offset: number;
      /** Number of bytes to skip in the line after the skipped lines. */
      readonly skipBytes?: number | undefined;
      readonly limit: number | undefined;
    }
  | { readonly from: 'end'; readonly limit: number };

export const WHOLE_FILE: LineRange = { from: 'start', offset: 0, limit: undefined };

/** Limits of a window. */
export interface WindowOptions {
  readonly maxBytes: number;
  /**
   * Maximum number of bytes of a line; longer lines are cut and marked. Default: only a line longer than the window is cut,
   * without a mark.
   */
  readonly maxLineBytes?: number | undefined;
  /** Default: UTF-8. */
  readonly encoding?: Encoding;
  readonly signal: AbortSignal;
}

/** Lines of a file. A window contains whole lines if possible. */
export interface Window {
  readonly bytes: Buffer;
  /** Position of the window in the file, in bytes. */
  readonly position: number;
  /** Number of the first line, from 1; `undefined` if the end of a file was read and its beginning was not. */
  readonly startLine: number | undefined;
  /** Number of lines in the window, including a last line without a newline. */
  readonly lines: number;
  /** Number of lines of the file; `undefined` unless the file was read to its end and the number of the first line is known. */
  readonly totalLines: number | undefined;
  /** Whether the file contains more text in the requested direction. */
  readonly truncated: boolean;
  /**
   * Whether a line was cut because it is longer than the window. The line lacks its end if the window was read from the start,
   * otherwise its beginning.
   */
  readonly cut: boolean;
  /** Number of lines cut at `maxLineBytes`. */
  readonly cutLines: number;
  /** The `offset` of the next window; `undefined` if the window reaches the end of the file or was read from the end. */
  readonly nextOffset: number | undefined;
  /** The `skipBytes` of the next window; absent unless the line at `nextOffset` is cut. */
  readonly nextSkipBytes?: number;
}

/**
 * Reads a window of lines without loading the rest of the file.
 *
 * @throws ToolError INVALID_ARGUMENTS for an impossible `skipBytes`; the signal's reason
 */
export function readWindow(source: Source, range: LineRange, options: WindowOptions): Promise<Window> {
  return range.from === 'start' ? readForward(source, range, options) : readBackward(source, range.limit, options);
}

/** Reads lines after an offset. */
async function readForward(
  source: Source,
  { offset, skipBytes = 0, limit = Number.POSITIVE_INFINITY }: Extract<LineRange, { readonly from: 'start' }>,
  { maxBytes, maxLineBytes, encoding = 'utf-8', signal }: WindowOptions,
): Promise<Window> {
  const ends = selectLineEnds(encoding);
  const { position: start, lines: skipped } = await skipLines(source, offset, { ends, signal });
  const position = await findPositionInLine(source, { start, skipBytes, encoding, signal });
  const collector = new LineCollector({ limit, maxBytes, maxLineBytes, encoding });
  for await (const chunk of readChunks(source, { from: position, until: position + collector.reach, signal })) {
    if (!collector.add(chunk)) break;
  }
  const bytes = collector.finish();
  const { hasMore, cutLines } = collector;
  const lines = countLines(bytes, ends);
  const cut = collector.isOver && !endsLine(bytes, ends);
  return {
    bytes,
    position,
    startLine: skipped + 1,
    lines,
    totalLines: hasMore ? undefined : skipped + lines,
    truncated: hasMore,
    cut,
    cutLines,
    ...createNext({ hasMore, cut, skipped, lines }, skipBytes + bytes.length),
  };
}

type ReadLines = { readonly hasMore: boolean; readonly cut: boolean; readonly skipped: number; readonly lines: number };

/** Returns the start of the next window. A cut line is always the only line of its window. */
function createNext({ hasMore, cut, skipped, lines }: ReadLines, known: number): Pick<Window, 'nextOffset' | 'nextSkipBytes'> {
  if (cut) return { nextOffset: skipped, nextSkipBytes: known };
  return { nextOffset: hasMore ? skipped + lines : undefined };
}

interface LinePosition {
  /** Start of the line. */
  readonly start: number;
  readonly skipBytes: number;
  readonly encoding: Encoding;
  readonly signal: AbortSignal;
}

/**
 * Returns the position `skipBytes` bytes after the start of a line.
 *
 * @throws ToolError INVALID_ARGUMENTS if the line ends before this position, or the position is inside a character
 */
async function findPositionInLine(source: Source, { start, skipBytes, encoding, signal }: LinePosition): Promise<number> {
  if (skipBytes === 0) return start;
  const place = start + skipBytes;
  const ends = selectLineEnds(encoding);
  let position = start;
  let incomplete: Uint8Array = new Uint8Array();
  for await (const chunk of readChunks(source, { from: start, until: place, signal })) {
    if (isHole(chunk) || skipLinesInBytes(chunk, 1, ends).lines > 0) break;
    position += chunk.length;
    incomplete = findIncompleteCharacter(incomplete, chunk, encoding);
  }
  if (position === place && incomplete.length === 0) return place;
  if (position === place)
    throw new ToolError('INVALID_ARGUMENTS', `skipBytes: byte ${skipBytes} of the line is inside a character`, {
      hint: `the character begins at byte ${skipBytes - incomplete.length}`,
    });
  throw new ToolError('INVALID_ARGUMENTS', `skipBytes: the line has fewer than ${skipBytes} bytes`, {
    hint: 'a result that cuts a line names the offset and skipBytes of its rest',
  });
}

/** Returns the bytes of an incomplete character at the end of a chunk. */
function findIncompleteCharacter(incomplete: Uint8Array, chunk: Uint8Array, encoding: Encoding): Uint8Array {
  const bytes = incomplete.length === 0 ? chunk : Buffer.concat([incomplete, chunk]);
  // The bytes are copied, because the buffer of the chunk is reused.
  return Uint8Array.from(bytes.subarray(findLastCharacterEnd(bytes, encoding)));
}

/** Reads the last lines. */
async function readBackward(
  source: Source,
  limit: number,
  { maxBytes, maxLineBytes, encoding = 'utf-8', signal }: WindowOptions,
): Promise<Window> {
  const ends = selectLineEnds(encoding);
  const { bytes: read, start, lines: counted } = await readEnd(source, limit, { maxBytes, ends, signal });
  const first = findFirstLine(read, { lines: counted, limit, isPart: start > 0, ends });
  const { bytes, cutLines } = first.isPart
    ? cutPartialLine(read, encoding, maxLineBytes)
    : shortenLines(read.subarray(first.position), encoding, maxLineBytes);
  return {
    bytes,
    position: start + first.position,
    startLine: start === 0 ? first.skipped + 1 : undefined,
    lines: counted - first.skipped,
    totalLines: start === 0 ? counted : undefined,
    truncated: start > 0 || first.skipped > 0,
    cut: first.isPart,
    cutLines,
    nextOffset: undefined,
  };
}

interface Ending {
  readonly bytes: Buffer;
  /** Position of the bytes in the file. */
  readonly start: number;
  /** Number of lines; the first may be incomplete. */
  readonly lines: number;
}

/** Reads the end of a file in chunks until they contain more lines than requested. Reads at most `maxBytes`. */
async function readEnd(
  source: Source,
  limit: number,
  { maxBytes, ends, signal }: { readonly maxBytes: number; readonly ends: LineEnds; readonly signal: AbortSignal },
): Promise<Ending> {
  const parts: Buffer[] = [];
  const least = Math.max(0, source.size - maxBytes);
  let start = source.size;
  let lines = 0;
  while (lines <= limit) {
    signal.throwIfAborted();
    const begin = alignToUnit(Math.max(least, start - (parts.length === 0 ? FIRST_CHUNK : CHUNK)));
    if (begin >= start) break;
    const buffer = Buffer.allocUnsafe(start - begin);
    const chunk = buffer.subarray(0, await source.readInto(buffer, begin));
    if (parts.length === 0 && chunk.length > 0 && !endsLine(chunk, ends)) lines += 1;
    parts.push(chunk);
    lines += skipLinesInBytes(chunk, Number.POSITIVE_INFINITY, ends).lines;
    start = begin;
  }
  return { bytes: Buffer.concat(parts.toReversed()), start, lines };
}

/** Aligns a position to whole units of UTF-16. */
function alignToUnit(position: number): number {
  return position + (position % 2);
}

interface FirstLine {
  readonly position: number;
  /** Number of lines before this position. */
  readonly skipped: number;
  /** Whether the line is incomplete. */
  readonly isPart: boolean;
}

/** Finds the first line of the window. */
function findFirstLine(
  bytes: Buffer,
  {
    lines,
    limit,
    isPart,
    ends,
  }: { readonly lines: number; readonly limit: number; readonly isPart: boolean; readonly ends: LineEnds },
): FirstLine {
  // An incomplete first line is skipped if other lines follow, because the part would look like a whole line.
  const skipped = Math.max(lines - limit, isPart && lines > 1 ? 1 : 0);
  return { skipped, position: skipLinesInBytes(bytes, skipped, ends).position, isPart: isPart && lines === 1 };
}

function cutPartialLine(
  read: Buffer,
  encoding: Encoding,
  maxLineBytes = read.length,
): { readonly bytes: Buffer; readonly cutLines: number } {
  const begin = alignToUnit(Math.max(0, read.length - maxLineBytes));
  const part = read.subarray(begin);
  return { bytes: part.subarray(findFirstCharacterStart(part, encoding)), cutLines: 0 };
}

function shortenLines(
  bytes: Buffer,
  encoding: Encoding,
  maxLineBytes: number | undefined,
): { readonly bytes: Buffer; readonly cutLines: number } {
  if (maxLineBytes === undefined) return { bytes, cutLines: 0 };
  const long = new LineShortener(encoding, maxLineBytes);
  return { bytes: Buffer.concat([...long.cut(bytes), ...long.rest()]), cutLines: long.count };
}
