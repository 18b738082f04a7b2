import { startOfCharacters, type Encoding } from './encoding.ts';
import { endOfLines, endsLine, lineEndsOf, type LineEnds } from './line-ends.ts';
import { LongLines } from './long-lines.ts';
import { CHUNK, FIRST_CHUNK } from './read-ahead.ts';
import type { Source } from './source.ts';
import type { Window, WindowOptions } from './window.ts';

/** Reads the last lines of a source. */
export async function readBackward(
  source: Source,
  limit: number,
  { maxBytes, maxLineBytes, encoding = 'utf-8', signal }: WindowOptions,
): Promise<Window> {
  const ends = lineEndsOf(encoding);
  const { bytes: read, start, lines: counted } = await readEnd(source, limit, { maxBytes, ends, signal });
  const first = firstLine(read, { lines: counted, limit, isPart: start > 0, ends });
  const { bytes, cutLines } = first.isPart
    ? partialLine(read, encoding, maxLineBytes)
    : shortened(read.subarray(first.position), encoding, maxLineBytes);
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
  /** Where the bytes begin in the source. */
  readonly start: number;
  /** The first may be part of one. */
  readonly lines: number;
}

/** The end of a source: one line more than is wanted, if there are as many, and at most `maxBytes`. */
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
    const begin = even(Math.max(least, start - (parts.length === 0 ? FIRST_CHUNK : CHUNK)));
    if (begin >= start) break;
    const buffer = Buffer.allocUnsafe(start - begin);
    const chunk = buffer.subarray(0, await source.readInto(buffer, begin));
    if (parts.length === 0 && chunk.length > 0 && !endsLine(chunk, ends)) lines += 1;
    parts.push(chunk);
    lines += endOfLines(chunk, Number.POSITIVE_INFINITY, ends).lines;
    start = begin;
  }
  return { bytes: Buffer.concat(parts.toReversed()), start, lines };
}

/** Units of UTF-16 are not to be torn. */
function even(position: number): number {
  return position + (position % 2);
}

interface FirstLine {
  readonly position: number;
  /** Lines before it. */
  readonly skipped: number;
  /** It is not whole. */
  readonly isPart: boolean;
}

/** Where the lines begin that are wanted, and had room. */
function firstLine(
  bytes: Buffer,
  {
    lines,
    limit,
    isPart,
    ends,
  }: { readonly lines: number; readonly limit: number; readonly isPart: boolean; readonly ends: LineEnds },
): FirstLine {
  // The budget ended within the first line: what is left of it would look like a whole one.
  const skipped = Math.max(lines - limit, isPart && lines > 1 ? 1 : 0);
  return { skipped, position: endOfLines(bytes, skipped, ends).position, isPart: isPart && lines === 1 };
}

function partialLine(
  read: Buffer,
  encoding: Encoding,
  maxLineBytes = read.length,
): { readonly bytes: Buffer; readonly cutLines: number } {
  const begin = even(Math.max(0, read.length - maxLineBytes));
  const part = read.subarray(begin);
  return { bytes: part.subarray(startOfCharacters(part, encoding)), cutLines: 0 };
}

function shortened(
  bytes: Buffer,
  encoding: Encoding,
  maxLineBytes: number | undefined,
): { readonly bytes: Buffer; readonly cutLines: number } {
  if (maxLineBytes === undefined) return { bytes, cutLines: 0 };
  const long = new LongLines(encoding, maxLineBytes);
  return { bytes: Buffer.concat([...long.cut(bytes), ...long.rest()]), cutLines: long.count };
}
