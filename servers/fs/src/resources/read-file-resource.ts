import { ToolError, type Facts, type RequestContext } from '@org/mcp-decorators';
import type { OpenFile } from '@org/mcp-roots';

import { etagOf } from '../etag.ts';
import { asResource, type Files } from '../files.ts';
import { entryLines } from '../results/finding-results.ts';
import { kindOf, KIND_SAMPLE } from '../text/kind.ts';
import { WHOLE_FILE } from '../text/window.ts';
import { ListDirectoryInput, listDirectory } from '../operations/list-directory.ts';
import { DIRECTORY } from './list-roots.ts';
import { wholeFile } from '../operations/read-media-file.ts';
import { windowOf } from '../operations/read-text-file.ts';

/** What a resource holds; its URI is the one that was asked for. */
export interface FileContents {
  readonly mimeType: string;
  readonly _meta?: Facts;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
}

/**
 * Reads a whole file, as text of at most `maxResourceBytes` or as bytes of at most `maxMediaBytes`; a directory reads as a list of its
 * entries.
 *
 * @throws ToolError TOO_LARGE, and those of `Roots.openFile` and `Roots.openDirectory`
 */
export async function readFileResource(files: Files, path: string, context: RequestContext): Promise<FileContents> {
  const { facts } = await files.roots.existing(path);
  if (facts.isDirectory()) return readEntries(files, path, context);
  await using file = await files.roots.openFile(path);
  const sample = await file.readAt(0, KIND_SAMPLE);
  const { mime, binary } = await kindOf(sample, sample.length < KIND_SAMPLE, file.shown);
  const _meta = { etag: etagOf(file.facts), bytes: file.size };
  const text = binary ? undefined : await textOf(files, file, path, context);
  if (text !== undefined) return { mimeType: mime, _meta, text };
  const blob = await bytesOf(files, file, path, context);
  return { mimeType: binary ? mime : 'application/octet-stream', _meta, blob: blob.toString('base64') };
}

async function readEntries(files: Files, path: string, context: RequestContext): Promise<FileContents> {
  const { listing } = await listDirectory(asResource(files), Object.assign(new ListDirectoryInput(), { path }), context);
  const lines = [...entryLines(listing)];
  if (listing.truncated) lines.push(`[${lines.length} of ${listing.total} entries are shown; list_directory shows the rest.]`);
  return { mimeType: DIRECTORY, text: lines.join('\n') };
}

/** `undefined` for what begins like a text and is none. */
async function textOf(
  { limits: { maxResourceBytes } }: Files,
  file: OpenFile,
  given: string,
  { signal }: RequestContext,
): Promise<string | undefined> {
  const hint = 'read_text_file reads it in parts; --max-resource-bytes raises the limit';
  if (file.size > maxResourceBytes) throw tooLarge(file, maxResourceBytes, hint);
  try {
    const request = { given, range: WHOLE_FILE, encoding: 'auto', maxBytes: maxResourceBytes, signal } as const;
    const { text, truncated } = await windowOf(file, request);
    if (truncated) throw tooLarge(file, maxResourceBytes, hint);
    return text;
  } catch (error) {
    if (ToolError.is(error) && (error.code === 'BINARY_FILE' || error.code === 'ENCODING')) return undefined;
    throw error;
  }
}

async function bytesOf(
  { limits: { maxMediaBytes } }: Files,
  file: OpenFile,
  given: string,
  { signal }: RequestContext,
): Promise<Buffer> {
  if (file.size > maxMediaBytes) throw tooLarge(file, maxMediaBytes, '--max-media-bytes raises the limit');
  return wholeFile(file, given, { maxBytes: maxMediaBytes, signal });
}

function tooLarge({ size }: OpenFile, most: number, hint: string): ToolError {
  return new ToolError('TOO_LARGE', `the file has ${size} bytes, a resource of its kind at most ${most}`, { hint });
}
