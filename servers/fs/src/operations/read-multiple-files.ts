import { Field, Integer, ToolError, type RequestContext } from '@org/mcp-decorators';
import { ArrayMaxSize, ArrayMinSize, IsArray, validateSync } from 'class-validator';

import type { Files } from '../files.ts';
import { MAX_FILES } from '../options/reading-options.ts';
import { inOrder } from './in-order.ts';
import { LEAST_BYTES, LinesInput, rangeOf } from './lines-input.ts';
import { windowOf, type TextWindow } from './read-text-file.ts';

/** Files that are read at once: those of a network file system take turns anyway. */
const AHEAD = 4;

export class ReadMultipleFilesInput {
  @Field('Each a path, or { path, head, tail, offset, skipBytes, limit, encoding } as in read_text_file', {
    type: ['string', 'object'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_FILES)
  paths!: (string | object)[];

  @Integer('Of all together', { optional: true, min: LEAST_BYTES }) maxTotalBytes?: number;
}

/** What became of one file. */
export type FileRead =
  | { readonly path: string; readonly ok: true; readonly window: TextWindow }
  | { readonly path: string; readonly ok: false; readonly error: ToolError };

/** What became of the files that fit into a result. */
export interface FilesRead {
  readonly files: readonly FileRead[];
  /** How many files at the end of the list do not fit. */
  readonly omitted: number;
}

/**
 * Reads several files, in the order they are named; one that fails does not keep the others from being read. Each has an equal share
 * of the bytes; what small files leave goes to those that are cut.
 *
 * @throws ToolError INVALID_ARGUMENTS, TOO_LARGE for too many files
 */
export async function readMultipleFiles(
  files: Files,
  { paths, maxTotalBytes = Infinity }: ReadMultipleFilesInput,
  { signal }: RequestContext,
): Promise<FilesRead> {
  const { maxFiles, maxBytes: room } = files.limits;
  if (paths.length > maxFiles) {
    throw new ToolError('TOO_LARGE', `${paths.length} paths are more than the ${maxFiles} files of one call`, {
      hint: 'read them in several calls; --max-files raises the limit',
    });
  }
  const inputs = paths.map(linesInput);
  const forTexts = room - sumOf(inputs.map((input) => bytesAround(input, false)));
  const found = await readAll(files, inputs, { share: shareOf(Math.min(maxTotalBytes, forTexts), inputs.length), signal });
  const whole = found.filter((file) => !isCut(file));
  const cut = found.flatMap((file, index) => (isCut(file) ? index : []));
  if (cut.length === 0) return fittingFiles(found, room);
  // Files that were cut share the bytes that small files leave.
  const forWhole = sumOf(whole.map((file) => bytesIn(file) + bytesAround(file, false)));
  const left = Math.min(
    maxTotalBytes - sumOf(whole.map((file) => (file.ok ? bytesIn(file) : 0))),
    room - forWhole - sumOf(cut.map((index) => bytesAround(found[index], true))),
  );
  const wanted = inputs.filter((_, index) => cut.includes(index));
  const again = await readAll(files, wanted, { share: shareOf(left, cut.length), signal });
  return fittingFiles(
    found.map((file, index) => again[cut.indexOf(index)] ?? file),
    room,
  );
}

/** Keeps the first files that fit, and at least one. */
function fittingFiles(found: readonly FileRead[], room: number): FilesRead {
  let bytes = 0;
  const end = found.findIndex((file, index) => (bytes += bytesIn(file) + bytesAround(file, isCut(file))) > room && index > 0);
  const files = end === -1 ? found : found.slice(0, end);
  return { files, omitted: found.length - files.length };
}

interface Reading {
  /** Most bytes of each file. */
  readonly share: number;
  readonly signal: AbortSignal;
}

function shareOf(total: number, files: number): number {
  return Math.max(LEAST_BYTES, Math.floor(total / files));
}

async function readAll(files: Files, inputs: readonly LinesInput[], reading: Reading): Promise<readonly FileRead[]> {
  const found: FileRead[] = [];
  const read = (input: LinesInput): Promise<FileRead> => readOne(files, input, reading);
  for await (const [, file] of inOrder(inputs, AHEAD, read)) found.push(file);
  return found;
}

async function readOne(files: Files, input: LinesInput, { share: maxBytes, signal }: Reading): Promise<FileRead> {
  const { path, encoding } = input;
  try {
    const range = rangeOf(input);
    await using file = await files.roots.openFile(path);
    return { path, ok: true, window: await windowOf(file, { given: path, range, encoding, maxBytes, signal }) };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return { path, ok: false, error };
  }
}

/** Bytes of the note below a text that was cut at its end, at its beginning, and below any other. */
const NOTE = 128;
const BACKWARD_NOTE = 256;
const SHORT_NOTE = 48;

/** Returns the bytes of the line with the path and of the note. */
function bytesAround(file: Pick<FileRead, 'path'> | FileRead | undefined, isCutOff: boolean): number {
  const isBackward = file !== undefined && 'ok' in file && file.ok && file.window.nextOffset === undefined;
  return Buffer.byteLength(file?.path ?? '') + (isCutOff ? (isBackward ? BACKWARD_NOTE : NOTE) : SHORT_NOTE);
}

function bytesIn(file: FileRead): number {
  return Buffer.byteLength(file.ok ? file.window.text : file.error.text);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Returns whether the share cut a file, not the requested number of lines. */
function isCut(file: FileRead): boolean {
  return file.ok && file.window.truncated && !file.window.isAsAsked;
}

/** @throws ToolError INVALID_ARGUMENTS */
function linesInput(given: string | object, index: number): LinesInput {
  const named = typeof given === 'string' ? { path: given } : given;
  const present = Object.entries(named).filter(([, value]) => value !== null);
  const input = Object.assign(new LinesInput(), Object.fromEntries(present));
  const wrong = validateSync(input, { whitelist: true, forbidNonWhitelisted: true });
  if (wrong.length === 0) return input;
  const reasons = wrong.flatMap(({ constraints = {} }) => Object.values(constraints));
  throw new ToolError('INVALID_ARGUMENTS', `paths.${index}: ${reasons.join('; ')}`);
}
