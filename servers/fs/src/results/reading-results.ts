import { Result, type Facts } from '@org/mcp-decorators';

import type { FileInfo } from '../operations/get-file-info.ts';
import type { AllowedDirectories } from '../operations/list-allowed-directories.ts';
import type { Media } from '../operations/read-media-file.ts';
import type { FileRead } from '../operations/read-multiple-files.ts';
import type { TextWindow, Unchanged } from '../operations/read-text-file.ts';
import { visibleName } from '../text/escape.ts';

/** The text once, facts about it in `_meta`, and a line that tells the model when there is more. */
export function windowResult(read: TextWindow | Unchanged): Result {
  if ('unchanged' in read) return Result.text('Unchanged since that etag', { facts: { ...read } });
  const { text, windowBytes: _, ...facts } = read;
  const note = noteOf(facts);
  return Result.text(text, { facts, ...(note !== undefined && { note }) });
}

/** A block for each file, which begins with its path; facts about each in `_meta`, in the same order. */
export function filesResult(read: readonly FileRead[]): BlocksResult {
  return { content: read.map((file) => ({ type: 'text', text: fileText(file) })), _meta: { files: read.map(fileFacts) } };
}

/** What is sent as it is: blocks, and facts about them. */
export interface BlocksResult {
  readonly content: readonly Block[];
  readonly _meta: Facts;
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string } }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly size: number;
      readonly annotations: { readonly lastModified: string };
    };

/** An image or audio block; of other files a resource, or a link to it. */
export function mediaResult(media: Media): BlocksResult {
  const { mime, bytes, etag } = media;
  return { content: [mediaBlock(media)], _meta: { etag, mime, bytes } };
}

/** The text has a line for each fact, and says the type in the words of the reference server, too. */
export function fileInfoResult(info: FileInfo): Result {
  const { path, type, ...others } = info;
  const told = { path, type, isDirectory: type === 'directory', isFile: type === 'file', ...others };
  return Result.of(
    info,
    Object.entries(told)
      .map(([name, value]) => `${name}: ${name === 'path' || name === 'target' ? visibleName(String(value)) : value}`)
      .join('\n'),
  );
}

export function allowedResult(allowed: AllowedDirectories): Result {
  const lines = allowed.directories.map(({ path, mode, available }) => {
    const notes = [...(mode === 'ro' ? ['read-only'] : []), ...(available ? [] : ['not available'])];
    return visibleName(path) + (notes.length === 0 ? '' : ` (${notes.join(', ')})`);
  });
  const list = lines.length === 0 ? ['No directory is allowed'] : ['Allowed directories:', ...lines];
  return Result.of(allowed, [...list, ...(allowed.note === undefined ? [] : [allowed.note])].join('\n'));
}

/** What a reader of the text alone has to know. */
function noteOf({
  truncated,
  cut,
  nextOffset,
  bytes,
  lines,
  startLine,
}: Omit<TextWindow, 'text' | 'windowBytes'>): string | undefined {
  if (lines === 0 && (startLine ?? 1) > 1) return `The file ends before that line: it has ${(startLine ?? 1) - 1} lines.`;
  if (!truncated) return undefined;
  const forward = nextOffset !== undefined;
  const next = forward ? `read on with offset ${nextOffset}` : 'earlier lines are not shown';
  const whole = cut
    ? ` The ${forward ? 'last' : 'first'} line shown is longer than the limit and was cut; the rest of it cannot be read.`
    : '';
  return `The file has ${bytes} bytes and more lines than shown; ${next}.${whole}`;
}

function fileText(file: FileRead): string {
  const path = visibleName(file.path);
  if (!file.ok) return `${path}: ${file.error.text}`;
  const { text, windowBytes: _, ...facts } = file.window;
  const note = noteOf(facts);
  return `${path}:${note === undefined ? '' : ` (${note})`}\n${text}`;
}

function fileFacts(file: FileRead): Facts {
  const { path, ok } = file;
  if (!file.ok) return { path, ok, error: { code: file.error.code, message: file.error.message } };
  const { text: _, windowBytes: __, ...facts } = file.window;
  return { path, ok, ...facts };
}

function mediaBlock({ uri, name, mime: mimeType, bytes, modified, content }: Media): Block {
  if (content === undefined)
    return { type: 'resource_link', uri, name, mimeType, size: bytes, annotations: { lastModified: modified } };
  const type = mimeType.split('/')[0];
  const base64 = content.toString('base64');
  if (type === 'image' || type === 'audio') return { type, data: base64, mimeType };
  return { type: 'resource', resource: { uri, mimeType, blob: base64 } };
}
