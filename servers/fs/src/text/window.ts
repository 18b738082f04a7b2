/** Where bytes come from. */
export interface Source {
  /** Bytes that there are, as far as is known. */
  readonly size: number;
  /** At most `length` bytes at a position; an empty answer is the end. */
  readAt(position: number, length: number): Promise<Buffer>;
}

/** Which lines are wanted. */
export type LineRange =
  | { readonly from: 'start'; /** Lines to skip. */ readonly offset: number; readonly limit: number | undefined }
  | { readonly from: 'end'; readonly limit: number };

/** Part of a file, cut at line ends where that is possible. */
export interface Window {
  readonly bytes: Buffer;
  /** 1-based number of the first line; unknown when read from the end. */
  readonly startLine: number | undefined;
  /** Lines in the window, a last one without newline included. */
  readonly lines: number;
  /** There is more in the asked direction than fitted into the budget or the limit. */
  readonly truncated: boolean;
  /** A line longer than the budget is not whole: the last one when reading from the start, else the first. */
  readonly cut: boolean;
  /** What to pass as `offset` to read on; only when reading from the start. */
  readonly nextOffset: number | undefined;
}

const CHUNK = 65_536;
const NEWLINE = 0x0a;

/** Reads a window of lines of a file without loading the rest. Stops at `signal`, rejecting with its reason. */
export function readWindow(
  source: Source,
  range: LineRange,
  options: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Window> {
  return range.from === 'start' ? readForward(source, range, options) : readBackward(source, range.limit, options);
}

interface Budget {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function readForward(
  source: Source,
  { offset, limit = Number.POSITIVE_INFINITY }: Extract<LineRange, { readonly from: 'start' }>,
  { maxBytes, signal }: Budget,
): Promise<Window> {
  const start = await skipLines(source, offset, signal);
  const parts: Buffer[] = [];
  let length = 0;
  let lines = 0;
  while (lines < limit && length <= maxBytes) {
    signal.throwIfAborted();
    const chunk = await source.readAt(start.position + length, CHUNK);
    if (chunk.length === 0) break;
    const end = endOfLines(chunk, limit - lines);
    lines += end.lines;
    length += end.position;
    parts.push(chunk.subarray(0, end.position));
  }
  const whole = Buffer.concat(parts);
  const bytes = whole.length > maxBytes ? cutAtLine(whole, maxBytes) : whole;
  const shown = countLines(bytes);
  const more = bytes.length < whole.length || (await source.readAt(start.position + bytes.length, 1)).length > 0;
  const cut = bytes.length < whole.length && bytes.at(-1) !== NEWLINE;
  return {
    bytes,
    cut,
    startLine: start.line,
    lines: shown,
    truncated: more,
    nextOffset: more ? start.line - 1 + shown : undefined,
  };
}

async function skipLines(
  source: Source,
  offset: number,
  signal: AbortSignal,
): Promise<{ readonly position: number; readonly line: number }> {
  let position = 0;
  let skipped = 0;
  while (skipped < offset) {
    signal.throwIfAborted();
    const chunk = await source.readAt(position, CHUNK);
    // A hole of a terabyte has no lines: what is not text is not skipped, but shown to whoever decodes it.
    if (chunk.length === 0 || chunk.includes(0)) break;
    const end = endOfLines(chunk, offset - skipped);
    skipped += end.lines;
    position += end.position;
  }
  return { position, line: skipped + 1 };
}

async function readBackward(source: Source, limit: number, { maxBytes, signal }: Budget): Promise<Window> {
  const parts: Buffer[] = [];
  const { size } = source;
  let start = size;
  let newlines = 0;
  while (start > 0 && newlines <= limit && size - start < maxBytes) {
    signal.throwIfAborted();
    const length = Math.min(CHUNK, start, maxBytes - (size - start));
    const chunk = await source.readAt(start - length, length);
    parts.unshift(chunk);
    start -= length;
    newlines += countNewlines(chunk);
  }
  const read = Buffer.concat(parts);
  const bytes = lastLines(read, limit, start > 0);
  const skipped = read.length - bytes.length;
  return {
    bytes,
    cut: start > 0 && read[skipped - 1] !== NEWLINE,
    startLine: undefined,
    lines: countLines(bytes),
    truncated: start > 0 || bytes.length < read.length,
    nextOffset: undefined,
  };
}

/** The position after at most `wanted` lines, and how many there were. */
function endOfLines(chunk: Buffer, wanted: number): { readonly position: number; readonly lines: number } {
  let lines = 0;
  let position = 0;
  while (lines < wanted) {
    const newline = chunk.indexOf(NEWLINE, position);
    if (newline === -1) return { position: chunk.length, lines };
    position = newline + 1;
    lines += 1;
  }
  return { position, lines };
}

function lastLines(bytes: Buffer, limit: number, partial: boolean): Buffer {
  let position = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  for (let lines = 0; lines < limit; lines += 1) {
    const newline = position === 0 ? -1 : bytes.lastIndexOf(NEWLINE, position - 1);
    if (newline === -1) return partial ? dropPartialLine(bytes) : bytes;
    position = newline;
  }
  return bytes.subarray(position + 1);
}

// The budget ended within a line: what is left of that line would look like a whole one.
function dropPartialLine(bytes: Buffer): Buffer {
  const newline = bytes.indexOf(NEWLINE);
  return newline === -1 || newline === bytes.length - 1 ? wholeCharacters(bytes) : bytes.subarray(newline + 1);
}

/** At most `maxBytes`, up to the last line end in them; within a longer line, up to the last whole character. */
function cutAtLine(bytes: Buffer, maxBytes: number): Buffer {
  const newline = bytes.lastIndexOf(NEWLINE, maxBytes - 1);
  if (newline !== -1) return bytes.subarray(0, newline + 1);
  let end = maxBytes;
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return bytes.subarray(0, end);
}

function wholeCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function countNewlines(bytes: Buffer): number {
  return endOfLines(bytes, Number.POSITIVE_INFINITY).lines;
}

function countLines(bytes: Buffer): number {
  return countNewlines(bytes) + (bytes.length > 0 && bytes.at(-1) !== NEWLINE ? 1 : 0);
}
