import { basename } from 'node:path';

import { Flag, Integer, Result, Text, type RequestContext, OneOf, ToolError } from '@org/mcp-decorators';
import type { OpenFile } from '@org/mcp-roots';

import { computeEtag } from '../../storage/etag.ts';
import { visibleName } from '../../text/format.ts';
import { readText, type TextLines, type TextRequest } from '../../text/read-text.ts';
import { ENCODINGS, type Encoding } from '../../text/encoding.ts';
import type { LineRange } from '../../text/read-window.ts';
import type { Files } from '../files.ts';
import { CountField, PathField } from '../fields.ts';
import { PathInput } from '../path-input.ts';

/** Minimum number of bytes of a text. With fewer bytes, one character might not fit, and reading on would never end. */
export const LEAST_BYTES = 16;

/** The beginning, the end or all of a text file. */
export class ReadFileInput extends PathInput {
  @CountField('First n lines') head?: number;
  @CountField('Last n lines') tail?: number;
}

/** A range of lines of a text file. */
export class LinesInput {
  @PathField() path!: string;
  @CountField('First n lines') head?: number;
  @CountField('Last n lines') tail?: number;
  @CountField('Lines to skip', 0) offset?: number;
  @CountField('Bytes of a cut line to skip', 0) skipBytes?: number;
  @CountField('At most n lines') limit?: number;
  @OneOf(['auto', ...ENCODINGS], 'Default: auto') encoding: Encoding | 'auto' = 'auto';
}

/** @throws ToolError INVALID_ARGUMENTS for parameters that exclude each other */
export function readRange({ head, tail, offset, skipBytes, limit }: Omit<LinesInput, 'path' | 'encoding'>): LineRange {
  const others = [head, offset, skipBytes, limit].filter((value) => value !== undefined).length;
  if (tail !== undefined && others > 0)
    throw new ToolError('INVALID_ARGUMENTS', 'tail cannot be combined with head, offset, skipBytes or limit');
  if (head !== undefined && others > 1)
    throw new ToolError('INVALID_ARGUMENTS', 'head cannot be combined with offset, skipBytes or limit; use limit instead');
  if (tail !== undefined) return { from: 'end', limit: tail };
  return { from: 'start', offset: offset ?? 0, skipBytes, limit: head ?? limit };
}

export class ReadTextFileInput extends LinesInput {
  @Flag('Number the lines', { optional: true }) lineNumbers?: boolean;
  @Integer('Byte limit, in whole lines', { optional: true, min: LEAST_BYTES }) maxBytes?: number;
  @Integer('Cut lines at n bytes', { optional: true, min: LEAST_BYTES }) maxLineBytes?: number;
  @Text('Omit the text if the etag matches', { optional: true }) ifNoneMatch?: string;
}

/** Lines of a file and facts about them. */
export interface TextWindow extends TextLines {
  readonly etag: string;
  /** Size of the whole file. */
  readonly bytes: number;
  /**
   * Whether the window contains as many lines as the caller requested, none of them cut. Always `false` if the caller requested
   * no number of lines.
   */
  readonly isComplete: boolean;
}

/** Returned instead of the text if the file still has the etag `ifNoneMatch`. */
export interface Unchanged {
  readonly etag: string;
  readonly unchanged: true;
}

/**
 * Reads a window of lines of at most `maxBytes` without loading the rest of the file. If the file still has the etag
 * `ifNoneMatch`, reads no lines and returns `Unchanged`.
 *
 * @throws ToolError INVALID_ARGUMENTS for parameters that exclude each other or an impossible `skipBytes`; BINARY_FILE, ENCODING;
 * the codes of `Roots.openFile`
 */
export async function readTextFile(
  files: Files,
  input: ReadTextFileInput,
  { signal }: RequestContext,
): Promise<TextWindow | Unchanged> {
  const { path: given, ifNoneMatch, maxBytes = files.limits.maxBytes, ...how } = input;
  const range = readRange(input);
  await using file = await files.roots.openFile(given);
  const etag = computeEtag(file.facts);
  if (ifNoneMatch === etag) return { etag, unchanged: true };
  return await readTextWindow(file, { ...how, given, range, maxBytes: Math.min(maxBytes, files.limits.maxBytes), signal });
}

/** @throws ToolError BINARY_FILE, ENCODING; INVALID_ARGUMENTS for an impossible `skipBytes` */
export async function readTextWindow(file: OpenFile, request: TextRequest): Promise<TextWindow> {
  const read = await readText(file, request);
  const limit = countFittingLines(read, request.maxBytes);
  const fitting =
    limit === undefined ? read : await readText(file, { ...request, range: { ...request.range, limit }, isShortened: true });
  const isComplete = fitting.lines === request.range.limit && !fitting.cut;
  return { ...fitting, etag: computeEtag(file.facts), bytes: file.size, isComplete };
}

/**
 * Returns how many lines fit, at least 1. Returns `undefined` if all lines fit or the text has only one line. Line numbers and
 * the conversion to UTF-8 can make the text larger than the bytes in the file.
 */
function countFittingLines({ text, lines }: TextLines, maxBytes: number): number | undefined {
  if (lines <= 1 || Buffer.byteLength(text) <= maxBytes) return undefined;
  let left = maxBytes;
  const end = text.split('\n').findIndex((line) => (left -= Buffer.byteLength(line) + 1) < 0);
  return Math.max(1, Math.min(end, lines - 1));
}

/**
 * Creates a result with the text, facts about the text in `_meta`, and the note of {@link windowNote}. For an unchanged file,
 * creates a result with a sentence.
 */
export function textWindowResult(read: TextWindow | Unchanged, path: string): Result {
  if ('unchanged' in read) return Result.text('The file is unchanged: it has the given etag', { facts: { ...read } });
  const { text, windowBytes: _, isComplete: __, ...facts } = read;
  const name = visibleName(basename(path));
  const title = `${name}, ${facts.lines} ${facts.lines === 1 ? 'line' : 'lines'}, etag ${facts.etag}`;
  return Result.text(text, { facts, title, note: windowNote(read) });
}

/** Returns what a model that sees only the text must know, or `undefined` if the text is complete and not blank. */
export function windowNote(window: TextWindow): string | undefined {
  const { text } = window;
  // Some hosts trim white space, so a text of only white space looks empty.
  const isBlank = text !== '' && text.trim() === '';
  const notes = [isBlank ? 'The text above is only white space.' : undefined, partNote(window)];
  return notes.filter((note) => note !== undefined).join(' ') || undefined;
}

function partNote(window: TextWindow): string | undefined {
  const { truncated, nextOffset, bytes, lines, startLine = 1, isComplete } = window;
  if (bytes === 0) return 'The file is empty.';
  if (lines === 0 && startLine > 1) return `The file ends before the requested line: its last line is line ${startLine - 1}.`;
  if (!truncated) return undefined;
  if (nextOffset !== undefined) return forwardNote(window);
  // A client that requests the last lines expects that the file has earlier lines, so a complete window needs no note.
  return isComplete ? undefined : backwardNote(window);
}

function forwardNote({ bytes, nextOffset, nextSkipBytes, startLine = 1, endLine = startLine }: TextWindow): string {
  if (nextSkipBytes !== undefined)
    return `Line ${startLine} is shown in part; the file has ${bytes} bytes. Read on with offset ${nextOffset} and skipBytes ${nextSkipBytes}.`;
  return `${shownLines(startLine, endLine)}; the file has ${bytes} bytes. Read on with offset ${nextOffset}.`;
}

function backwardNote(window: TextWindow): string {
  const notes = [earlierNote(window)];
  if (window.cut) notes.push('The first line shown is longer than the limit and was cut.');
  if (!window.text.endsWith('\n')) notes.push('The last line has no line break.');
  return notes.join(' ');
}

function earlierNote({ bytes, lines, cut, startLine, endLine = startLine }: TextWindow): string {
  if (startLine === undefined || endLine === undefined)
    return `The end of the file is shown (lines: ${lines}); the file has ${bytes} bytes. read_text_file with tail ${lines} and lineNumbers numbers these lines; offset and limit read earlier lines.`;
  const size = `${shownLines(startLine, endLine)}${cut ? ' in part' : ''}; the file has ${bytes} bytes`;
  if (cut) return `${size}. Read the beginning of the line with offset ${startLine - 1}.`;
  const offset = Math.max(0, startLine - 1 - lines);
  return `${size}. Read earlier lines with offset ${offset} and limit ${startLine - 1 - offset}.`;
}

function shownLines(first: number, last: number): string {
  return first === last ? `Line ${first} is shown` : `Lines ${first} to ${last} are shown`;
}
