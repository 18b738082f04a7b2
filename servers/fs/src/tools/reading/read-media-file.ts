import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { Flag, ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath, type OpenFile } from '@org/mcp-roots';

import { computeEtag } from '../../storage/etag.ts';
import { detectKind, KIND_SAMPLE } from '../../text/content-kind.ts';
import { formatTime, visibleName } from '../../text/format.ts';
import { readChunks } from '../../text/read-chunks.ts';
import { CountField } from '../fields.ts';
import type { Files } from '../files.ts';
import { PathInput } from '../path-input.ts';
import type { Block, BlocksResult } from './blocks-result.ts';

const SVG = 'image/svg+xml';

export class ReadMediaFileInput extends PathInput {
  @CountField('Reject larger files') maxBytes?: number;
  @Flag('Only a link; any size', { optional: true }) asLink?: boolean;
}

/** A file for programs that display it, or a link to the file. */
export interface Media {
  readonly uri: string;
  readonly name: string;
  readonly mime: string;
  /** Size of the file. */
  readonly bytes: number;
  readonly etag: string;
  /** ISO 8601 */
  readonly modified: string;
  /** The whole content; `undefined` for a link. */
  readonly content: Buffer | undefined;
}

/**
 * Reads a whole file of at most `maxMediaBytes` and detects its type from its first bytes.
 *
 * @throws ToolError TOO_LARGE, and the codes of `Roots.openFile`
 */
export async function readMediaFile(files: Files, input: ReadMediaFileInput, { signal }: RequestContext): Promise<Media> {
  await using file = await files.roots.openFile(input.path);
  const ceiling = files.limits.maxMediaBytes;
  const maxBytes = Math.min(input.maxBytes ?? ceiling, ceiling);
  const content = input.asLink === true ? undefined : await readWholeFile(file, input.path, { maxBytes, signal });
  const sample = content ?? (await file.readAt(0, KIND_SAMPLE));
  const { mime } = await detectKind(sample.subarray(0, KIND_SAMPLE), sample.length < KIND_SAMPLE, file.shown);
  // An SVG is returned as text, which has the limit of texts.
  if (mime === SVG && content !== undefined && content.length > files.limits.maxBytes)
    throw tooLarge(input.path, file, files.limits.maxBytes);
  const { shown, size, facts } = file;
  const modified = formatTime(Number(facts.mtimeMs));
  return { uri: fileUri(file), name: path.basename(shown), mime, bytes: size, etag: computeEtag(facts), modified, content };
}

/** @throws ToolError TOO_LARGE */
export async function readWholeFile(
  file: OpenFile,
  given: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  if (file.size > maxBytes) throw tooLarge(given, file, maxBytes);
  const parts: Buffer[] = [];
  for await (const chunk of readChunks(file, { until: maxBytes + 1, signal })) parts.push(Buffer.from(chunk));
  const content = Buffer.concat(parts);
  if (content.length > maxBytes) throw tooLarge(given, file, maxBytes);
  return content;
}

function fileUri({ shown }: OpenFile): string {
  return pathToFileURL(shown).href;
}

/** The data names the resource, so that programs can read the file in another way. */
function tooLarge(given: string, file: OpenFile, maxBytes: number): ToolError {
  return new ToolError('TOO_LARGE', `${quotePath(given)} has ${file.size} bytes; the limit is ${maxBytes} bytes`, {
    data: { uri: fileUri(file), bytes: file.size, maxBytes },
    hint: 'asLink returns a link to the file; read_text_file reads a text file in parts; the operator can raise the limit with --max-media-bytes',
  });
}

/**
 * Creates a result with an image, audio, text or resource block, or a link. A line of text follows, because many hosts show only
 * text.
 */
export function mediaResult(media: Media): BlocksResult {
  const { mime, bytes, etag, name, uri, content } = media;
  const text = `${visibleName(name)}, ${mime}, ${bytes} bytes${content === undefined ? `: ${uri}` : ''}`;
  return { content: [mediaBlock(media), { type: 'text', text }], _meta: { etag, mime, bytes } };
}

function mediaBlock({ uri, name, mime: mimeType, bytes, modified, content }: Media): Block {
  if (content === undefined)
    return { type: 'resource_link', uri, name, mimeType, size: bytes, annotations: { lastModified: modified } };
  // Models accept no SVG images, and SVG is text.
  if (mimeType === SVG) return { type: 'text', text: content.toString('utf8') };
  const type = mimeType.split('/')[0];
  const base64 = content.toString('base64');
  if (type === 'image' || type === 'audio') return { type, data: base64, mimeType };
  return { type: 'resource', resource: { uri, mimeType, blob: base64 } };
}
