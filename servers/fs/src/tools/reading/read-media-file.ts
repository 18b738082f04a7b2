import path from 'node:path';

import { Flag, type RequestContext } from '@org/mcp-decorators';
import type { OpenFile } from '@org/mcp-roots';

import { formatPixels, isScalable, loadImageScaler, type ImageScaler, type ScaledImage } from '../../conversion/scale-image.ts';
import { computeEtag } from '../../storage/etag.ts';
import { detectKind, KIND_SAMPLE } from '../../text/content-kind.ts';
import { formatTime, visibleName } from '../../text/format.ts';
import { readWholeFile, toFileUri } from '../../text/read-whole-file.ts';
import { CountField } from '../fields.ts';
import type { Files } from '../files.ts';
import { PathInput } from '../path-input.ts';
import type { Block, BlocksResult } from './blocks-result.ts';

const SVG = 'image/svg+xml';

export class ReadMediaFileInput extends PathInput {
  @CountField('Reject larger files') maxBytes?: number;
  @Flag('Only a link; any size', { optional: true }) asLink?: boolean;
}

/** A file that read_media_file returns: its facts, and its content unless the caller requested only a link. */
export interface Media {
  readonly uri: string;
  readonly name: string;
  readonly mime: string;
  /** Size of the file in bytes. */
  readonly bytes: number;
  readonly etag: string;
  /** ISO 8601 */
  readonly modified: string;
  /** The whole content of the file or of the scaled image; `undefined` for a link. */
  readonly content: Buffer | undefined;
  /** The scaled or converted image, if `content` is not the content of the file. */
  readonly scaled?: ScaledImage;
}

/**
 * Reads a whole file of at most `maxMediaBytes`, and detects its type. An SVG image is returned as text, so `maxBytes` limits its
 * size as well. If sharp is installed, images that exceed `maxImageSide` or `maxMediaBytes` are scaled, and image types that
 * models do not accept are converted.
 *
 * @throws ToolError TOO_LARGE, OVERLOADED, and the codes of `Roots.openFile`
 */
export async function readMediaFile(files: Files, input: ReadMediaFileInput, { signal }: RequestContext): Promise<Media> {
  await using file = await files.roots.openFile(input.path);
  const sample = await file.readAt(0, KIND_SAMPLE);
  const { mime } = await detectKind(sample, sample.length < KIND_SAMPLE, file.shown);
  const { shown, facts } = file;
  const modified = formatTime(Number(facts.mtimeMs));
  const media = { uri: toFileUri(file), name: path.basename(shown), mime, bytes: file.size, etag: computeEtag(facts), modified };
  if (input.asLink === true) return { ...media, content: undefined };
  const scale = isScalable(mime) ? await loadImageScaler() : undefined;
  const scaled = scale && (await readScaled(file, scale, { files, input, mime, signal }));
  if (scaled !== undefined) return { ...media, ...scaled };
  const ceiling = mime === SVG ? Math.min(files.limits.maxBytes, files.limits.maxMediaBytes) : files.limits.maxMediaBytes;
  const maxBytes = Math.min(input.maxBytes ?? ceiling, ceiling);
  const hint = adviseOnSize('--max-media-bytes', mime, scale !== undefined || !isScalable(mime));
  return { ...media, content: await readWholeFile(file, input.path, { maxBytes, hint, signal }) };
}

interface ImageCall {
  readonly files: Files;
  readonly input: ReadMediaFileInput;
  readonly mime: string;
  readonly signal: AbortSignal;
}

/** Returns the image, scaled if necessary, or `undefined` if an image above `maxMediaBytes` cannot be scaled below this limit. */
async function readScaled(
  file: OpenFile,
  scale: ImageScaler,
  { files, input, mime, signal }: ImageCall,
): Promise<Pick<Media, 'content' | 'scaled'> | undefined> {
  const { limits, conversions } = files;
  const maxBytes = Math.min(input.maxBytes ?? limits.maxImageBytes, limits.maxImageBytes);
  return conversions.run(
    async () => {
      const hint = adviseOnSize('--max-image-bytes', mime);
      const content = await readWholeFile(file, input.path, { maxBytes, hint, signal });
      const scaled = await scale({ content, mime, given: input.path }, limits);
      signal.throwIfAborted();
      if (scaled !== undefined) return { content: scaled.content, scaled };
      return content.length <= limits.maxMediaBytes ? { content } : undefined;
    },
    signal,
    limits.maxSearchTime,
  );
}

/** Returns what a caller can do if a file is too large. */
function adviseOnSize(option: string, mime: string, hasSharp = true): string {
  const advice = [
    'asLink returns a link to the file',
    mime.startsWith('text/') || mime === SVG ? 'read_text_file reads a text file in parts' : undefined,
    hasSharp ? undefined : 'large images are scaled if the operator installs the package sharp beside this server',
    `the operator can raise the limit with ${option}`,
  ];
  return advice.filter((each) => each !== undefined).join('; ');
}

/**
 * Creates a result with an image, audio, text or resource block, or a link. A line of text follows, because many hosts show only
 * text.
 */
export function mediaResult(media: Media): BlocksResult {
  const { mime, bytes, etag, name, uri, content, scaled } = media;
  const text = `${visibleName(name)}, ${mime}, ${bytes} bytes${content === undefined ? `: ${uri}` : ''}`;
  const facts = scaled && { original: scaled.original, scaled: { mime: scaled.mime, ...scaled.pixels } };
  const note =
    scaled === undefined ? '' : `, ${formatPixels(scaled.original)}; shown as ${scaled.mime} with ${formatPixels(scaled.pixels)}`;
  return { content: [mediaBlock(media), { type: 'text', text: text + note }], _meta: { etag, mime, bytes, ...facts } };
}

function mediaBlock({ uri, name, mime, bytes, modified, content, scaled }: Media): Block {
  const mimeType = scaled?.mime ?? mime;
  if (content === undefined)
    return { type: 'resource_link', uri, name, mimeType, size: bytes, annotations: { lastModified: modified } };
  // Models accept no SVG images, and SVG is text.
  if (mimeType === SVG) return { type: 'text', text: content.toString('utf8') };
  const type = mimeType.split('/')[0];
  const base64 = content.toString('base64');
  if (type === 'image' || type === 'audio') return { type, data: base64, mimeType };
  return { type: 'resource', resource: { uri, mimeType, blob: base64 } };
}
