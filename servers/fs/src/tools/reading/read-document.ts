import { basename } from 'node:path';

import { Integer, Result, ToolError, type RequestContext } from '@org/mcp-decorators';

import type { DocumentPart } from '../../documents/document.ts';
import { readDocumentParts } from '../../conversion/read-document-parts.ts';
import { computeEtag } from '../../storage/etag.ts';
import { visibleName } from '../../text/format.ts';
import { formatCount } from '../notes.ts';
import { readWholeFile } from '../../text/read-whole-file.ts';
import { CountField } from '../fields.ts';
import type { Files } from '../files.ts';
import { PathInput } from '../path-input.ts';

/** Maximum length of a line of text, in UTF-16 units. Longer paragraphs and rows are wrapped, so that lines fit into a result. */
const MAX_LINE = 500;

export class ReadDocumentInput extends PathInput {
  @Integer('Page, slide or sheet to begin with', { optional: true, min: 1 }) part?: number;
  @CountField('Lines to skip', 0) offset?: number;
  @CountField('At most n lines') limit?: number;
}

/** Lines of the text of a document. */
export interface DocumentWindow {
  readonly text: string;
  readonly etag: string;
  /** Number of the part from which the lines are counted. */
  readonly part: number;
  /** Number of pages, slides or sheets; 1 for a text document. */
  readonly parts: number;
  /** Number of lines from the requested part to the end. */
  readonly lines: number;
  /** Number of the first returned line, from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Number of parts without text. */
  readonly emptyParts: number;
}

/**
 * Reads lines of the text of a document. Each page, slide or sheet begins with a line that contains its title in brackets.
 *
 * @throws ToolError INVALID_DOCUMENT, LIBRARY_MISSING, INVALID_ARCHIVE, TOO_LARGE, TIMEOUT, OVERLOADED; INVALID_ARGUMENTS for a
 * part or an offset past the end; the codes of `Roots.openFile`
 */
export async function readDocument(
  files: Files,
  { path, part = 1, offset = 0, limit = Infinity }: ReadDocumentInput,
  { signal }: RequestContext,
): Promise<DocumentWindow> {
  const { parts, etag } = await readParts(files, path, signal);
  if (part > parts.length)
    throw new ToolError('INVALID_ARGUMENTS', `the document has ${formatCount(parts.length, 'part', 'parts')}`, {
      hint: 'part counts from 1',
    });
  const lines = parts.slice(part - 1).flatMap((each, index) => formatPart(each, { number: part + index, of: parts.length }));
  if (offset > 0 && offset >= lines.length)
    throw new ToolError('INVALID_ARGUMENTS', `the text ends at line ${lines.length}`, { hint: 'use a smaller offset' });
  const shown = takeLines(lines.slice(offset, offset + limit), files.limits.maxBytes);
  return {
    text: shown.join('\n'),
    etag,
    part,
    parts: parts.length,
    lines: lines.length,
    startLine: offset + 1,
    endLine: offset + shown.length,
    emptyParts: parts.filter(({ text }) => text.trim() === '').length,
  };
}

interface ReadParts {
  readonly parts: readonly DocumentPart[];
  readonly etag: string;
}

async function readParts(
  { roots, limits, conversions, documents }: Files,
  given: string,
  signal: AbortSignal,
): Promise<ReadParts> {
  await using file = await roots.openFile(given);
  const etag = computeEtag(file.facts);
  const hint = 'the operator can raise the limit with --max-document-bytes';
  const extract = async (): Promise<readonly DocumentPart[]> => {
    const content = await readWholeFile(file, given, { maxBytes: limits.maxDocumentBytes, hint, signal });
    return readDocumentParts({ content, given }, limits, signal);
  };
  const parts = await documents.read(`${file.shown}\0${etag}`, () => conversions.run(extract, signal, limits.maxDocumentTime));
  return { parts, etag };
}

function formatPart(
  { title, text }: DocumentPart,
  { number, of }: { readonly number: number; readonly of: number },
): readonly string[] {
  const lines = text.split(/\r?\n/).flatMap(wrapLine);
  return title === undefined ? lines : [`[${visibleName(title)}, ${number} of ${of}]`, ...lines];
}

/** Breaks a line at spaces if it is too long. */
function wrapLine(line: string): readonly string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > MAX_LINE) {
    const space = rest.lastIndexOf(' ', MAX_LINE);
    const end = space > 0 ? space : endWithoutHalf(rest);
    lines.push(rest.slice(0, end));
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...lines, rest];
}

/** Returns {@link MAX_LINE}, or one less if a line of this length would end between the two halves of a surrogate pair. */
function endWithoutHalf(line: string): number {
  return /[\uD800-\uDBFF]/.test(line.charAt(MAX_LINE - 1)) ? MAX_LINE - 1 : MAX_LINE;
}

/** Returns the first lines that fit into `maxBytes` bytes. Returns the first line even if it is longer. */
function takeLines(lines: readonly string[], maxBytes: number): readonly string[] {
  let left = maxBytes;
  const end = lines.findIndex((line) => (left -= Buffer.byteLength(line) + 1) < 0);
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}

export function documentResult(window: DocumentWindow, path: string): Result {
  const { text, ...facts } = window;
  return Result.text(text, { facts, title: `${visibleName(basename(path))}, etag ${facts.etag}`, note: formatNote(window) });
}

function formatNote({ text, part, lines, startLine, endLine, emptyParts, parts }: DocumentWindow): string | undefined {
  const notes: string[] = [];
  if (text.trim() === '') notes.push('The document contains no text.');
  const from = part === 1 ? '' : `part ${part} and `;
  if (endLine < lines)
    notes.push(`Lines ${startLine} to ${endLine} of ${lines} are shown. Read on with ${from}offset ${endLine}.`);
  if (emptyParts > 0 && parts > 1) notes.push(`${emptyParts} of ${parts} parts contain no text; they may be images.`);
  return notes.join(' ') || undefined;
}
