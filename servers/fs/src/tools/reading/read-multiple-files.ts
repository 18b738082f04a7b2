import { ClassSchema, Field, Integer, Result, ToolError, type Facts, type RequestContext } from '@org/mcp-decorators';
import { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize.js';
import { ArrayMinSize } from 'class-validator/cjs/decorator/array/ArrayMinSize.js';
import { IsArray } from 'class-validator/cjs/decorator/typechecker/IsArray.js';

import { visibleName } from '../../text/format.ts';
import type { Files } from '../files.ts';
import { sum } from '../notes.ts';
import type { BlocksResult } from './blocks-result.ts';
import { LEAST_BYTES, LinesInput, readRange, readTextWindow, windowNote, type TextWindow } from './read-text-file.ts';

/** Maximum number of paths, whatever the operator sets: a longer list is rejected before it is read. */
export const MAX_FILES = 500;

/**
 * Maximum number of files that are read at the same time. A network file system reads several files one after the other
 * anyway.
 */
const CONCURRENCY = 4;

export class ReadMultipleFilesInput {
  @Field('Each a path, or { path, head, tail, offset, skipBytes, limit, encoding } as in read_text_file', {
    type: ['string', 'object'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_FILES)
  paths!: (string | object)[];

  @Integer('Total byte limit', { optional: true, min: LEAST_BYTES }) maxTotalBytes?: number;
}

/** The outcome for one file. */
type FileRead =
  | { readonly path: string; readonly ok: true; readonly window: TextWindow }
  | { readonly path: string; readonly ok: false; readonly error: ToolError };

/** The outcomes for the files that fit into a result. */
export interface FilesRead {
  readonly files: readonly FileRead[];
  /** Number of files at the end of the list that do not fit. */
  readonly omitted: number;
}

/**
 * Reads several files and keeps their order; a failed file does not fail the others. Each file gets an equal share of the
 * bytes, and files that were cut also get the bytes that small files leave.
 *
 * @throws ToolError INVALID_ARGUMENTS for an invalid entry of `paths`; TOO_LARGE for too many files
 */
export async function readMultipleFiles(
  files: Files,
  { paths, maxTotalBytes = Infinity }: ReadMultipleFilesInput,
  { signal }: RequestContext,
): Promise<FilesRead> {
  const { maxFiles, maxBytes: room } = files.limits;
  if (paths.length > maxFiles) {
    throw new ToolError('TOO_LARGE', `the call has ${paths.length} paths; the limit is ${maxFiles}`, {
      hint: 'read the files in several calls; the operator can raise the limit with --max-files',
    });
  }
  const inputs = paths.map(parseLinesInput);
  const forTexts = room - sum(inputs.map((input) => countBytesAround(input, false)));
  const maxBytes = shareEqually(Math.min(maxTotalBytes, forTexts), inputs.length);
  const found = await readAll(files, inputs, { maxBytes, signal });
  const whole = found.filter((file) => !isCut(file));
  const cut = found.flatMap((file, index) => (isCut(file) ? index : []));
  if (cut.length === 0) return selectFittingFiles(found, room);
  const forWhole = sum(whole.map((file) => countBytes(file) + countBytesAround(file, false)));
  const left = Math.min(
    maxTotalBytes - sum(whole.map((file) => (file.ok ? countBytes(file) : 0))),
    room - forWhole - sum(cut.map((index) => countBytesAround(found[index], true))),
  );
  const wanted = inputs.filter((_, index) => cut.includes(index));
  const again = await readAll(files, wanted, { maxBytes: shareEqually(left, cut.length), signal });
  return selectFittingFiles(
    found.map((file, index) => again[cut.indexOf(index)] ?? file),
    room,
  );
}

/** Keeps the first files that fit, and at least one. */
function selectFittingFiles(found: readonly FileRead[], room: number): FilesRead {
  let bytes = 0;
  const end = found.findIndex(
    (file, index) => (bytes += countBytes(file) + countBytesAround(file, isCut(file))) > room && index > 0,
  );
  const files = end === -1 ? found : found.slice(0, end);
  return { files, omitted: found.length - files.length };
}

interface ReadOptions {
  /** Maximum number of bytes of each file. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

function shareEqually(total: number, files: number): number {
  return Math.max(LEAST_BYTES, Math.floor(total / files));
}

async function readAll(files: Files, inputs: readonly LinesInput[], options: ReadOptions): Promise<readonly FileRead[]> {
  const found: FileRead[] = [];
  const read = (input: LinesInput): Promise<FileRead> => readOne(files, input, options);
  for await (const file of mapInOrder(inputs, CONCURRENCY, read)) found.push(file);
  return found;
}

async function readOne(files: Files, input: LinesInput, options: ReadOptions): Promise<FileRead> {
  const { path, encoding } = input;
  try {
    const range = readRange(input);
    await using file = await files.roots.openFile(path);
    return { path, ok: true, window: await readTextWindow(file, { given: path, range, encoding, ...options }) };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return { path, ok: false, error };
  }
}

/** Maps items with at most `concurrency` calls of `map` at a time, and yields the results in the order of the items. */
export async function* mapInOrder<Item, Mapped>(
  items: readonly Item[],
  concurrency: number,
  map: (item: Item) => Promise<Mapped>,
): AsyncGenerator<Mapped> {
  const started: Promise<Mapped>[] = [];
  const start = (item: Item): void => {
    const mapped = map(item);
    // The first rejection is thrown below; further rejections must not end the process.
    mapped.catch(() => undefined);
    started.push(mapped);
  };
  try {
    for (const index of items.keys()) {
      for (const item of items.slice(started.length, index + concurrency)) start(item);
      const mapped = started[index];
      if (mapped !== undefined) yield await mapped;
    }
  } finally {
    await Promise.allSettled(started);
  }
}

/** Number of bytes reserved for the note below a text that lacks its end. */
const NOTE = 128;
/** Number of bytes reserved for the note below a text that lacks its beginning. */
const BACKWARD_NOTE = 256;
/** Number of bytes reserved for any other note. */
const SHORT_NOTE = 48;

/** Returns the number of bytes reserved for the path and the note of a file. */
function countBytesAround(file: Pick<FileRead, 'path'> | FileRead | undefined, isCutOff: boolean): number {
  const isBackward = file !== undefined && 'ok' in file && file.ok && file.window.nextOffset === undefined;
  return Buffer.byteLength(file?.path ?? '') + (isCutOff ? (isBackward ? BACKWARD_NOTE : NOTE) : SHORT_NOTE);
}

function countBytes(file: FileRead): number {
  return Buffer.byteLength(file.ok ? file.window.text : file.error.text);
}

/** Returns whether the limit in bytes cut a file, not the requested number of lines. */
function isCut(file: FileRead): boolean {
  return file.ok && file.window.truncated && !file.window.isComplete;
}

const LINES_INPUT = ClassSchema.of(LinesInput);

/** @throws ToolError INVALID_ARGUMENTS */
function parseLinesInput(given: string | object, index: number): LinesInput {
  const { value, issues } = LINES_INPUT.parse(typeof given === 'string' ? { path: given } : given);
  if (value !== undefined) return value;
  const reasons = issues.map(({ path, message }) => `${['paths', index, ...path].join('.')}: ${message}`);
  throw new ToolError('INVALID_ARGUMENTS', reasons.join('; '));
}

/**
 * Creates a result with one text block for each file; the block begins with the path of the file. Facts about each file are in
 * `_meta`, in the same order.
 */
export function multipleFilesResult({ files, omitted }: FilesRead): BlocksResult {
  const texts = files.map(formatFile);
  if (omitted > 0) texts.push(`[Files that do not fit, at the end of paths: ${omitted}. Name these files in another call.]`);
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    _meta: { files: files.map(selectFacts), ...(omitted > 0 && { omitted }) },
  };
}

/** Returns a block that ends with a line break, because some hosts join blocks without a separator. */
function formatFile(file: FileRead): string {
  const path = visibleName(file.path);
  if (!file.ok) return `${path}: ${file.error.text}\n`;
  const { text } = file.window;
  const open = text.endsWith('\n') ? undefined : 'The last line has no line break.';
  const [block = ''] = Result.text(text, { note: windowNote(file.window) ?? open }).texts;
  return `${path}:\n${block.endsWith('\n') ? block : `${block}\n`}`;
}

function selectFacts(file: FileRead): Facts {
  const { path, ok } = file;
  if (!file.ok) return { path, ok, error: { code: file.error.code, message: file.error.message } };
  const { text: _, windowBytes: __, isComplete: ___, ...facts } = file.window;
  return { path, ok, ...facts };
}
