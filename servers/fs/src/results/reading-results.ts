import { basename } from 'node:path';

import { Result, type Facts } from '@org/mcp-decorators';

import type { FileInfo } from '../operations/get-file-info.ts';
import type { AllowedDirectories } from '../operations/list-allowed-directories.ts';
import type { Media } from '../operations/read-media-file.ts';
import type { FileRead, FilesRead } from '../operations/read-multiple-files.ts';
import type { TextWindow, Unchanged } from '../operations/read-text-file.ts';
import { visibleName } from '../text/escape.ts';

/** The text once, facts about it in `_meta`, and a note if there is more. */
export function windowResult(read: TextWindow | Unchanged, path: string): Result {
  if ('unchanged' in read) return Result.text('Unchanged since that etag', { facts: { ...read } });
  const { text, windowBytes: _, isAsAsked: __, ...facts } = read;
  const name = visibleName(basename(path));
  const title = `${name}, ${facts.lines} ${facts.lines === 1 ? 'line' : 'lines'}, etag ${facts.etag}`;
  return Result.text(text, { facts, title, note: noteOf(read) });
}

/** A block for each file, which begins with its path; facts about each in `_meta`, in the same order. */
export function filesResult({ files, omitted }: FilesRead): BlocksResult {
  const texts = files.map(fileText);
  if (omitted > 0) texts.push(`[The last ${omitted} files do not fit; name them in another call.]`);
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    _meta: { files: files.map(fileFacts), ...(omitted > 0 && { omitted }) },
  };
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

/** An image or audio block; of other files a resource, or a link to it. A line of text follows, because many hosts show only text. */
export function mediaResult(media: Media): BlocksResult {
  const { mime, bytes, etag, name, uri, content } = media;
  const text = `${visibleName(name)}, ${mime}, ${bytes} bytes${content === undefined ? `: ${uri}` : ''}`;
  return { content: [mediaBlock(media), { type: 'text', text }], _meta: { etag, mime, bytes } };
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

/** What a reader of the text alone has to know; hosts trim white space. */
function noteOf(window: TextWindow): string | undefined {
  const { text } = window;
  const isBlank = text !== '' && text.trim() === '';
  const notes = [isBlank ? 'The text above is only white space.' : undefined, partNoteOf(window)];
  return notes.filter((note) => note !== undefined).join(' ') || undefined;
}

function partNoteOf(window: TextWindow): string | undefined {
  const { truncated, nextOffset, bytes, lines, startLine = 1, isAsAsked } = window;
  if (bytes === 0) return 'The file is empty.';
  if (lines === 0 && startLine > 1) return `The file ends before that line: it has ${startLine - 1} lines.`;
  if (!truncated) return undefined;
  if (nextOffset !== undefined) return forwardNote(window);
  // A client that asks for the last lines expects lines before them.
  return isAsAsked ? undefined : backwardNote(window);
}

function forwardNote({ bytes, nextOffset, nextSkipBytes, startLine = 1, endLine = startLine }: TextWindow): string {
  if (nextSkipBytes !== undefined)
    return `Line ${startLine} is shown in part, the file has ${bytes} bytes; read on with offset ${nextOffset} and skipBytes ${nextSkipBytes}.`;
  return `${linesShown(startLine, endLine)}, the file has ${bytes} bytes; read on with offset ${nextOffset}.`;
}

function backwardNote(window: TextWindow): string {
  const notes = [earlierNote(window)];
  if (window.cut) notes.push('The first line shown is longer than the limit and was cut.');
  if (!window.text.endsWith('\n')) notes.push('The last line has no line break.');
  return notes.join(' ');
}

function earlierNote({ bytes, lines, cut, startLine, endLine = startLine }: TextWindow): string {
  if (startLine === undefined || endLine === undefined)
    return `The last ${lines} lines are shown, the file has ${bytes} bytes; read_text_file with tail ${lines} and lineNumbers numbers them, and offset and limit read earlier lines.`;
  const size = `${linesShown(startLine, endLine)}${cut ? ' in part' : ''}, the file has ${bytes} bytes`;
  if (cut) return `${size}; read the beginning of the line with offset ${startLine - 1}.`;
  const offset = Math.max(0, startLine - 1 - lines);
  return `${size}; read the lines before with offset ${offset} and limit ${startLine - 1 - offset}.`;
}

function linesShown(first: number, last: number): string {
  return first === last ? `Line ${first} is shown` : `Lines ${first} to ${last} are shown`;
}

/** Returns a block that ends with a line break, because some hosts join blocks without a separator. */
function fileText(file: FileRead): string {
  const path = visibleName(file.path);
  if (!file.ok) return `${path}: ${file.error.text}\n`;
  const { text } = file.window;
  const open = text.endsWith('\n') ? undefined : 'The last line has no line break.';
  const [block = ''] = Result.text(text, { note: noteOf(file.window) ?? open }).texts;
  return `${path}:\n${block.endsWith('\n') ? block : `${block}\n`}`;
}

function fileFacts(file: FileRead): Facts {
  const { path, ok } = file;
  if (!file.ok) return { path, ok, error: { code: file.error.code, message: file.error.message } };
  const { text: _, windowBytes: __, isAsAsked: ___, ...facts } = file.window;
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
