import { platform } from 'node:os';

import { Text, ToolError, type Facts, type RequestContext } from '@org/mcp-decorators';
import type { OpenFile } from '@org/mcp-roots';

import { computeEtag } from '../storage/etag.ts';
import { detectKind, KIND_SAMPLE } from '../text/content-kind.ts';
import { WHOLE_FILE } from '../text/read-window.ts';
import { withResourceLimits, type Files } from '../tools/files.ts';
import { formatEntries, listDirectory, ListDirectoryInput } from '../tools/finding/list-directory.ts';
import { readWholeFile } from '../text/read-whole-file.ts';
import { readTextWindow } from '../tools/reading/read-text-file.ts';
import { DIRECTORY_MIME } from './list-roots.ts';

/** The variable of `file:///{+path}`, decoded. */
export class FileUri {
  @Text('Path of the file, without its leading slash') path!: string;
}

/**
 * Returns the absolute path: `srv/notes.txt` → `/srv/notes.txt`. On Windows, the path gets no slash, because it begins with a
 * drive.
 */
export function toAbsolutePath({ path }: FileUri): string {
  return platform() === 'win32' ? path : `/${path}`;
}

/** The contents of a resource without a URI; the result contains the requested URI. */
export interface FileContents {
  readonly mimeType: string;
  readonly _meta?: Facts;
  readonly text?: string;
  /** Base64 */
  readonly blob?: string;
}

/**
 * Reads a whole file as text of at most `maxResourceBytes` or as bytes of at most `maxMediaBytes`, or lists the entries of a
 * directory.
 *
 * @throws ToolError TOO_LARGE, and errors of `Roots.openFile` and `listDirectory`
 */
export async function readFileResource(files: Files, path: string, context: RequestContext): Promise<FileContents> {
  const { facts } = await files.roots.resolveExisting(path);
  if (facts.isDirectory()) return readEntries(files, path, context);
  await using file = await files.roots.openFile(path);
  const sample = await file.readAt(0, KIND_SAMPLE);
  const { mime, binary } = await detectKind(sample, sample.length < KIND_SAMPLE, file.shown);
  const _meta = { etag: computeEtag(file.facts), bytes: file.size };
  const text = binary ? undefined : await readAsText(files, file, path, context);
  if (text !== undefined) return { mimeType: mime, _meta, text };
  const blob = await readAsBytes(files, file, path, context);
  return { mimeType: binary ? mime : 'application/octet-stream', _meta, blob: blob.toString('base64') };
}

async function readEntries(files: Files, path: string, context: RequestContext): Promise<FileContents> {
  const { listing } = await listDirectory(withResourceLimits(files), Object.assign(new ListDirectoryInput(), { path }), context, {
    facts: false,
  });
  const lines = [...formatEntries(listing)];
  if (listing.truncated)
    lines.push(`[${lines.length} of ${listing.total} entries are shown; list_directory lists the entries page by page.]`);
  return { mimeType: DIRECTORY_MIME, text: lines.join('\n') };
}

/** Reads a file as text. Returns `undefined` if the file begins like a text but is not a text. */
async function readAsText(
  { limits: { maxResourceBytes } }: Files,
  file: OpenFile,
  given: string,
  { signal }: RequestContext,
): Promise<string | undefined> {
  const hint = 'read_text_file reads the file in parts; the operator can raise the limit with --max-resource-bytes';
  if (file.size > maxResourceBytes) throw tooLarge(file, maxResourceBytes, hint);
  try {
    const request = { given, range: WHOLE_FILE, encoding: 'auto', maxBytes: maxResourceBytes, signal } as const;
    const { text, truncated } = await readTextWindow(file, request);
    if (truncated) throw tooLarge(file, maxResourceBytes, hint);
    return text;
  } catch (error) {
    if (ToolError.is(error) && (error.code === 'BINARY_FILE' || error.code === 'ENCODING')) return undefined;
    throw error;
  }
}

async function readAsBytes(
  { limits: { maxMediaBytes } }: Files,
  file: OpenFile,
  given: string,
  { signal }: RequestContext,
): Promise<Buffer> {
  const hint = 'the operator can raise the limit with --max-media-bytes';
  if (file.size > maxMediaBytes) throw tooLarge(file, maxMediaBytes, hint);
  return readWholeFile(file, given, { maxBytes: maxMediaBytes, hint, signal });
}

function tooLarge({ size }: OpenFile, maxBytes: number, hint: string): ToolError {
  return new ToolError('TOO_LARGE', `the file has ${size} bytes; this resource may have at most ${maxBytes} bytes`, { hint });
}
