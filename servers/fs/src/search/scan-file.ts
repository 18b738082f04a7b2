import fs from 'node:fs';

import type { OpenedFile } from '../walk/walk-directory.ts';
import type { Pattern } from './pattern.ts';
import { countBreaks, type SearchedText } from './searched-text.ts';

export interface LineMatch {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

const NEWLINE = 0x0a;
/**
 * Window size in bytes. Unless a longer file is read whole, it is searched window by window; each window ends after a line break,
 * if it contains one.
 */
const WINDOW = 1_048_576;
/** Maximum number of bytes of a file that must be read whole: for a multiline search or in UTF-16. */
const MAX_WHOLE = 16_777_216;
/** Maximum number of characters of a shown line. */
const SHOWN = 500;
/** Maximum number of characters that are shown before the match if the beginning of the line is omitted. */
const SHOWN_BEFORE = 100;

/** How a file is searched. */
export interface ScanOptions {
  readonly pattern: Pattern;
  /** Number of lines to show before each match. */
  readonly before: number;
  /** Number of lines to show after each match. */
  readonly after: number;
  /** Whether matches may contain line breaks, so that the file is read whole. */
  readonly whole: boolean;
  /** Called for each matching line. Returning `false` ends the scan. */
  readonly onLine: (describe: () => LineMatch) => boolean;
  /** Returns whether the time is over or the call was cancelled. Called after each window except the last. */
  readonly isOver: () => boolean;
}

/**
 * The result of a scan. `text`: the whole file was searched. `binary`: the file contains a NUL character. `too large`: a file
 * that must be read whole has more than {@link MAX_WHOLE} bytes. `ended`: `onLine` or `isOver` ended the scan.
 */
export type Scanned = 'text' | 'binary' | 'too large' | 'ended';

type ScannedFile = Pick<OpenedFile, 'descriptor' | 'verifiedSize'>;

const window = Buffer.allocUnsafeSlow(WINDOW);

/**
 * Searches a file line by line in bounded memory. A file with a NUL character is binary and not searched further. Files without
 * a UTF-16 byte order mark are read as UTF-8, so that only ASCII is found in legacy encodings.
 */
export function scanFile(file: ScannedFile, options: ScanOptions): Scanned {
  const size = options.whole ? file.verifiedSize() : 0;
  if (size > MAX_WHOLE) return 'too large';
  const buffer = size >= WINDOW ? Buffer.allocUnsafeSlow(size + 1) : window;
  const place = { from: 0, line: 1, isLast: false };
  let kept = 0;
  for (let isFirst = true; ; isFirst = false) {
    const wanted = buffer.length - kept;
    const read = fs.readSync(file.descriptor, buffer, kept, wanted, null);
    if (isFirst && isWide(buffer.subarray(0, read))) return scanWide(file, options);
    place.isLast = read < wanted || options.whole;
    const filled = buffer.subarray(0, kept + read);
    const outcome = scanWindow(filled, place, options);
    if (outcome !== 'more') return outcome;
    const until = findSafeEnd(filled, options.after);
    const keep = findLinesBack(filled, until, options.before);
    place.line += countBreaks(filled, 0, keep);
    place.from = until - keep;
    kept = buffer.copy(buffer, 0, keep, filled.length);
  }
}

function scanWide(file: ScannedFile, options: ScanOptions): Scanned {
  const size = file.verifiedSize();
  if (size > MAX_WHOLE) return 'too large';
  const outcome = scanWindow(readWide(file.descriptor, size), { from: 0, line: 1, isLast: true }, options);
  return outcome === 'more' ? 'text' : outcome;
}

interface Place {
  /** Position in the window from which on matches are searched; the lines before this position are context. */
  readonly from: number;
  /** Number of the first line in the window. */
  readonly line: number;
  readonly isLast: boolean;
}

function scanWindow(bytes: Buffer, { from, line, isLast }: Place, options: ScanOptions): Scanned | 'more' {
  if (bytes.includes(0)) return 'binary';
  const until = isLast ? bytes.length : findSafeEnd(bytes, options.after);
  const { pattern } = options;
  if (pattern.mayBeIn(bytes) && !scanText(pattern.view(bytes, from, until), line, options)) return 'ended';
  if (isLast) return 'text';
  return options.isOver() ? 'ended' : 'more';
}

/**
 * Returns the start of the last `after` whole lines, which are searched with the next window. Returns the end if no byte before
 * this start would remain.
 */
function findSafeEnd(bytes: Buffer, after: number): number {
  const end = findLinesBack(bytes, bytes.lastIndexOf(NEWLINE) + 1, after);
  return end === 0 ? bytes.length : end;
}

/** Returns the start of the line `lines` lines before the line at `from`. Returns `from` itself if this start would be 0. */
function findLinesBack(bytes: Buffer, from: number, lines: number): number {
  let at = from;
  for (let line = 0; line < lines && at > 0; line += 1) at = at === 1 ? 0 : bytes.lastIndexOf(NEWLINE, at - 2) + 1;
  return at === 0 ? from : at;
}

function scanText(text: SearchedText, firstLine: number, { before, after, onLine }: ScanOptions): boolean {
  let counted = 0;
  let line = firstLine;
  for (let span = text.find(text.from); span !== undefined;) {
    const { start, end } = span;
    const lineStart = text.lineStart(start);
    const lineEnd = text.lineEnd(end > start ? end - 1 : end);
    const describe = (): LineMatch => {
      line += text.breaks(counted, lineStart);
      counted = lineStart;
      return {
        line,
        column: text.text(lineStart, start).length + 1,
        text: excerptMatch(text, { lineStart, start, lineEnd }),
        ...(before > 0 && { before: readLinesBefore(text, lineStart, before) }),
        ...(after > 0 && { after: readLinesAfter(text, lineEnd, after) }),
      };
    };
    if (!onLine(describe)) return false;
    span = text.find(lineEnd + 1);
  }
  return true;
}

interface Shown {
  readonly lineStart: number;
  readonly start: number;
  readonly lineEnd: number;
}

/** Returns the line of a match, or the part of a long line around the match. */
function excerptMatch(text: SearchedText, { lineStart, start, lineEnd }: Shown): string {
  // Positions may be byte offsets, and a character has at most four bytes, so 4 * SHOWN positions contain enough characters.
  if (lineEnd - lineStart <= SHOWN) return stripReturn(text.text(lineStart, lineEnd));
  const from = start - lineStart > SHOWN - SHOWN_BEFORE ? start - SHOWN_BEFORE : lineStart;
  const part = text.text(from, Math.min(lineEnd, from + 4 * SHOWN));
  const shown = part.slice(0, SHOWN);
  return `${from > lineStart ? '…' : ''}${shown}${shown.length < part.length || from + 4 * SHOWN < lineEnd ? '…' : ''}`;
}

function readLinesBefore(text: SearchedText, lineStart: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let end = lineStart - 1; end >= 0 && lines.length < count;) {
    const start = text.lineStart(end);
    lines.unshift(cutText(text, start, end));
    end = start - 1;
  }
  return lines;
}

function readLinesAfter(text: SearchedText, lineEnd: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let start = lineEnd + 1; lines.length < count;) {
    const end = text.lineEnd(start);
    if (end <= start && text.text(start, start + 1) === '') break;
    lines.push(cutText(text, start, end));
    start = end + 1;
  }
  return lines;
}

function cutText(text: SearchedText, from: number, to: number): string {
  const whole = stripReturn(text.text(from, Math.min(to, from + 4 * SHOWN)));
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
}

function stripReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Returns whether a file begins with the byte order mark of UTF-16. */
function isWide(bytes: Uint8Array): boolean {
  return isLittle(bytes) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Converts a UTF-16 file to UTF-8 without its byte order mark. */
function readWide(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  const whole = bytes.subarray(0, fs.readSync(descriptor, bytes, 0, size, 0) & ~1);
  const units = isLittle(whole) ? whole : whole.swap16();
  return Buffer.from(units.toString('utf16le', 2));
}

function isLittle([first, second]: Uint8Array): boolean {
  return first === 0xff && second === 0xfe;
}
