import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { Flag, Integer, ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled, type OpenFile } from '@org/mcp-roots';

import { etagOf } from '../etag.ts';
import type { Files } from '../files.ts';
import { isoTime } from '../text/iso.ts';
import { kindOf, KIND_SAMPLE } from '../text/kind.ts';
import { readAhead } from '../text/read-ahead.ts';
import { PathInput } from './path-input.ts';

export class ReadMediaFileInput extends PathInput {
  @Integer('Refuse a larger file', { optional: true, min: 1 }) maxBytes?: number;
  @Flag('Only a link; any size', { optional: true }) asLink?: boolean;
}

/** A file for programs that show it, or a link to it. */
export interface Media {
  readonly uri: string;
  readonly name: string;
  readonly mime: string;
  /** Size of the file. */
  readonly bytes: number;
  readonly etag: string;
  /** ISO 8601. */
  readonly modified: string;
  /** The whole content; not of a link. */
  readonly content: Buffer | undefined;
}

/**
 * Reads a whole file of at most `maxMediaBytes`, with its type by its first bytes.
 *
 * @throws ToolError TOO_LARGE, and those of `Roots.openFile`
 */
export async function readMediaFile(files: Files, input: ReadMediaFileInput, { signal }: RequestContext): Promise<Media> {
  await using file = await files.roots.openFile(input.path);
  const ceiling = files.limits.maxMediaBytes;
  const maxBytes = Math.min(input.maxBytes ?? ceiling, ceiling);
  const content = input.asLink === true ? undefined : await wholeFile(file, input.path, { maxBytes, signal });
  const sample = content ?? (await file.readAt(0, KIND_SAMPLE));
  const { mime } = await kindOf(sample.subarray(0, KIND_SAMPLE), sample.length < KIND_SAMPLE, file.shown);
  const { shown, size, facts } = file;
  const modified = isoTime(Number(facts.mtimeMs));
  return { uri: uriOf(file), name: path.basename(shown), mime, bytes: size, etag: etagOf(facts), modified, content };
}

/** @throws ToolError TOO_LARGE */
export async function wholeFile(
  file: OpenFile,
  given: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  if (file.size > maxBytes) throw tooLarge(given, file, maxBytes);
  const parts: Buffer[] = [];
  for await (const chunk of readAhead(file, { until: maxBytes + 1, signal })) parts.push(Buffer.from(chunk));
  const content = Buffer.concat(parts);
  if (content.length > maxBytes) throw tooLarge(given, file, maxBytes);
  return content;
}

function uriOf({ shown }: OpenFile): string {
  return pathToFileURL(shown).href;
}

/** Programs are told of the resource that it is. */
function tooLarge(given: string, file: OpenFile, maxBytes: number): ToolError {
  return new ToolError('TOO_LARGE', `${spelled(given)} has ${file.size} bytes, more than the ${maxBytes} that are allowed`, {
    data: { uri: uriOf(file), bytes: file.size, maxBytes },
    hint: 'asLink gives a link to it; read_text_file reads a text in parts; --max-media-bytes raises the limit',
  });
}
