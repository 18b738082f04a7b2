import fs from 'node:fs';

import type { LineMatch } from './job.ts';
import type { OpenedFile } from './held-directory.ts';
import type { Pattern } from './pattern.ts';
import { countBreaks, type SearchedText } from './searched-text.ts';
import { isWide, readWide } from './wide-text.ts';

const NEWLINE = 0x0a;
/** Read at a time; what is longer goes through in windows that end with a line. */
const WINDOW = 1_048_576;
/** A search over line breaks, or in UTF-16, needs the whole file at once. */
const WHOLE = 16_777_216;
/** Characters of a line that are shown, and of them before the match. */
const SHOWN = 500;
const SHOWN_BEFORE = 100;

/** How a file is looked at. */
export interface ScanOptions {
  readonly pattern: Pattern;
  /** Lines to show around each that matches. */
  readonly before: number;
  readonly after: number;
  /** A match may go over line breaks. */
  readonly whole: boolean;
  /** Told of each line that matches; `false` ends the scan. */
  readonly onLine: (describe: () => LineMatch) => boolean;
  /** Whether there is no time left; asked after each window. */
  readonly isOver: () => boolean;
}

/** What came of it. */
export interface Scanned {
  readonly bytes: number;
  readonly outcome: 'text' | 'binary' | 'too large' | 'ended';
}

/** What a scan needs of a file. */
type ScannedFile = Pick<OpenedFile, 'descriptor' | 'verifiedSize'>;

const window = Buffer.allocUnsafeSlow(WINDOW);

/**
 * Looks for a pattern in a file, line by line, in bounded memory. What has a NUL character is no text, and not looked at further. Files
 * are taken for UTF-8 unless they begin with the mark of UTF-16: in those of older encodings only ASCII is found.
 */
export function scanFile(file: ScannedFile, options: ScanOptions): Scanned {
  const size = options.whole ? file.verifiedSize() : 0;
  if (size > WHOLE) return { bytes: 0, outcome: 'too large' };
  const buffer = size >= WINDOW ? Buffer.allocUnsafeSlow(size + 1) : window;
  const place = { from: 0, line: 1, isLast: false };
  let kept = 0;
  for (let bytes = 0; ;) {
    const wanted = buffer.length - kept;
    const read = fs.readSync(file.descriptor, buffer, kept, wanted, null);
    bytes += read;
    if (bytes === read && isWide(buffer.subarray(0, read))) return scanWide(file, options);
    place.isLast = read < wanted || options.whole;
    const filled = buffer.subarray(0, kept + read);
    const outcome = scanWindow(filled, place, options);
    if (outcome !== 'more') return { bytes, outcome };
    const until = safeEnd(filled, options.after);
    const keep = linesBack(filled, until, options.before);
    place.line += countBreaks(filled, 0, keep);
    place.from = until - keep;
    kept = buffer.copy(buffer, 0, keep, filled.length);
  }
}

function scanWide(file: ScannedFile, options: ScanOptions): Scanned {
  const size = file.verifiedSize();
  if (size > WHOLE) return { bytes: 0, outcome: 'too large' };
  const outcome = scanWindow(readWide(file.descriptor, size), { from: 0, line: 1, isLast: true }, options);
  return { bytes: size, outcome: outcome === 'more' ? 'text' : outcome };
}

interface Place {
  /** Where what is new begins. */
  readonly from: number;
  /** Number of the first line in the window. */
  readonly line: number;
  readonly isLast: boolean;
}

function scanWindow(bytes: Buffer, { from, line, isLast }: Place, options: ScanOptions): Scanned['outcome'] | 'more' {
  if (bytes.includes(0)) return 'binary';
  const until = isLast ? bytes.length : safeEnd(bytes, options.after);
  const { pattern } = options;
  if (pattern.mayBeIn(bytes) && !scanText(pattern.over(bytes, from, until), line, options)) return 'ended';
  if (isLast) return 'text';
  return options.isOver() ? 'ended' : 'more';
}

/** The beginning of the line after which only so many lines are there as may be shown after a match; the end, if no line ends. */
function safeEnd(bytes: Buffer, after: number): number {
  const end = linesBack(bytes, bytes.lastIndexOf(NEWLINE) + 1, after);
  return end === 0 ? bytes.length : end;
}

/** The beginning of the line so many lines before one that begins at `from`; where that would keep everything, `from` itself. */
function linesBack(bytes: Buffer, from: number, lines: number): number {
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
        text: shownText(text, { lineStart, start, lineEnd }),
        ...(before > 0 && { before: linesBefore(text, lineStart, before) }),
        ...(after > 0 && { after: linesAfter(text, lineEnd, after) }),
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

/** The line of a match; of a long one what is around the match. */
function shownText(text: SearchedText, { lineStart, start, lineEnd }: Shown): string {
  // Positions may be bytes: four of them are one character at the most.
  if (lineEnd - lineStart <= SHOWN) return withoutReturn(text.text(lineStart, lineEnd));
  const from = start - lineStart > SHOWN - SHOWN_BEFORE ? start - SHOWN_BEFORE : lineStart;
  const part = text.text(from, Math.min(lineEnd, from + 4 * SHOWN));
  const shown = part.slice(0, SHOWN);
  return `${from > lineStart ? '…' : ''}${shown}${shown.length < part.length || from + 4 * SHOWN < lineEnd ? '…' : ''}`;
}

function linesBefore(text: SearchedText, lineStart: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let end = lineStart - 1; end >= 0 && lines.length < count;) {
    const start = text.lineStart(end);
    lines.unshift(cutText(text, start, end));
    end = start - 1;
  }
  return lines;
}

function linesAfter(text: SearchedText, lineEnd: number, count: number): readonly string[] {
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
  const whole = withoutReturn(text.text(from, Math.min(to, from + 4 * SHOWN)));
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
