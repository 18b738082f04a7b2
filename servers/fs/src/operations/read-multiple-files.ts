import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsOptional, Min, validateSync } from 'class-validator';

import type { Files } from '../files.ts';
import { MAX_FILES } from '../options/reading-options.ts';
import { inOrder } from './in-order.ts';
import { LEAST_BYTES, LinesInput, rangeOf } from './lines-input.ts';
import { windowOf, type TextWindow } from './read-text-file.ts';

/** Files that are read at once: those of a network file system take turns anyway. */
const AHEAD = 4;

export class ReadMultipleFilesInput {
  @Field('Each a path, or { path, head, tail, offset, limit, encoding } as in read_text_file', {
    type: ['string', 'object'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_FILES)
  paths!: (string | object)[];

  @Field('Of all together')
  @IsOptional()
  @IsInt()
  @Min(LEAST_BYTES)
  maxTotalBytes?: number;
}

/** What became of one file. */
export type FileRead =
  | { readonly path: string; readonly ok: true; readonly window: TextWindow }
  | { readonly path: string; readonly ok: false; readonly error: ToolError };

/**
 * Reads several files, in the order they are named; one that fails does not keep the others from being read.
 *
 * @throws ToolError INVALID_ARGUMENTS, TOO_LARGE for too many files
 */
export async function readMultipleFiles(
  files: Files,
  { paths, maxTotalBytes }: ReadMultipleFilesInput,
  { signal }: RequestContext,
): Promise<readonly FileRead[]> {
  const { maxFiles, maxTotalBytes: ceiling } = files.limits;
  if (paths.length > maxFiles) {
    throw new ToolError('TOO_LARGE', `${paths.length} paths are more than the ${maxFiles} files of one call`, {
      hint: 'read them in several calls; --max-files raises the limit',
    });
  }
  const inputs = paths.map(linesInput);
  let left = Math.min(maxTotalBytes ?? ceiling, ceiling);
  const found: FileRead[] = [];
  const read = (input: LinesInput): Promise<FileRead> => readOne(files, input, { left, signal });
  for await (const [input, ahead] of inOrder(inputs, AHEAD, read)) {
    // It was read while it was not known how much those before it would leave.
    const fitting = ahead.ok && ahead.window.windowBytes > left ? await read(input) : ahead;
    if (fitting.ok) left -= fitting.window.windowBytes;
    found.push(fitting);
  }
  return found;
}

interface Share {
  /** Bytes that are left for it and those behind it. */
  readonly left: number;
  readonly signal: AbortSignal;
}

async function readOne(files: Files, input: LinesInput, { left, signal }: Share): Promise<FileRead> {
  const { path, encoding } = input;
  const { maxReadBytes } = files.limits;
  try {
    const range = rangeOf(input);
    await using file = await files.roots.openFile(path);
    const maxBytes = Math.max(0, Math.min(left, maxReadBytes));
    const window = await windowOf(file, { given: path, range, encoding, maxBytes, signal });
    const hasNoRoom = maxBytes < maxReadBytes && (window.cut || (window.lines === 0 && window.truncated));
    return hasNoRoom ? { path, ok: false, error: noRoom() } : { path, ok: true, window };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return { path, ok: false, error };
  }
}

function noRoom(): ToolError {
  return new ToolError('TOO_LARGE', 'the files before it left no room in this answer', { hint: 'read it in a call of its own' });
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
