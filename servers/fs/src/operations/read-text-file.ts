import { Flag, Integer, Text, type RequestContext } from '@org/mcp-decorators';
import type { OpenFile } from '@org/mcp-roots';

import { etagOf } from '../etag.ts';
import type { Files } from '../files.ts';
import { readText, type TextLines, type TextRequest } from '../text/read-text.ts';
import { LEAST_BYTES, LinesInput, rangeOf } from './lines-input.ts';

export class ReadTextFileInput extends LinesInput {
  @Flag('Number the lines', { optional: true }) lineNumbers?: boolean;
  @Integer('Most bytes, in whole lines', { optional: true, min: LEAST_BYTES }) maxBytes?: number;
  @Integer('Bytes of a line; the rest is cut', { optional: true, min: LEAST_BYTES }) maxLineBytes?: number;
  @Text('Known etag: an unchanged file is not sent', { optional: true }) ifNoneMatch?: string;
}

/** Text of a file, and what a reader has to know of it. */
export interface TextWindow extends TextLines {
  readonly etag: string;
  /** Size of the whole file. */
  readonly bytes: number;
  /** The window has all lines that the caller requested. */
  readonly isAsAsked: boolean;
}

/** The file is the one that the caller knows. */
export interface Unchanged {
  readonly etag: string;
  readonly unchanged: true;
}

/**
 * Reads a window of lines without loading the rest; at most `maxBytes`.
 *
 * @throws ToolError INVALID_ARGUMENTS, BINARY_FILE, ENCODING, and those of `Roots.openFile`
 */
export async function readTextFile(
  files: Files,
  input: ReadTextFileInput,
  { signal }: RequestContext,
): Promise<TextWindow | Unchanged> {
  const { path: given, ifNoneMatch, maxBytes = files.limits.maxBytes, ...how } = input;
  const range = rangeOf(input);
  await using file = await files.roots.openFile(given);
  const etag = etagOf(file.facts);
  if (ifNoneMatch === etag) return { etag, unchanged: true };
  return await windowOf(file, { ...how, given, range, maxBytes: Math.min(maxBytes, files.limits.maxBytes), signal });
}

/** @throws ToolError BINARY_FILE, ENCODING */
export async function windowOf(file: OpenFile, request: TextRequest): Promise<TextWindow> {
  const read = await readText(file, request);
  const limit = fittingLines(read, request.maxBytes);
  const fitting =
    limit === undefined ? read : await readText(file, { ...request, range: { ...request.range, limit }, isShortened: true });
  const isAsAsked = fitting.lines === request.range.limit && !fitting.cut;
  return { ...fitting, etag: etagOf(file.facts), bytes: file.size, isAsAsked };
}

/** Returns how many lines fit if not all do: line numbers and conversions to UTF-8 add bytes to those of the file. */
function fittingLines({ text, lines }: TextLines, maxBytes: number): number | undefined {
  if (lines <= 1 || Buffer.byteLength(text) <= maxBytes) return undefined;
  let left = maxBytes;
  const end = text.split('\n').findIndex((line) => (left -= Buffer.byteLength(line) + 1) < 0);
  return Math.max(1, Math.min(end, lines - 1));
}
