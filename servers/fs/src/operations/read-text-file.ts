import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsInt, IsOptional, Min } from 'class-validator';

import type { Files } from '../files.ts';
import { decodeText } from '../text/decode.ts';
import { readWindow, type LineRange, type Window } from '../text/window.ts';
import { PathInput } from './path-input.ts';

export class ReadTextFileInput extends PathInput {
  @Field('Only the first N lines')
  @IsOptional()
  @IsInt()
  @Min(1)
  head?: number;

  @Field('Only the last N lines')
  @IsOptional()
  @IsInt()
  @Min(1)
  tail?: number;

  @Field('Lines to skip from the start')
  @IsOptional()
  @IsInt()
  @Min(0)
  offset?: number;

  @Field('Stop after this many lines')
  @IsOptional()
  @IsInt()
  @Min(1)
  limit?: number;
}

/** Text of a file, and what a reader has to know of it. */
export interface TextWindow extends Omit<Window, 'bytes'> {
  readonly text: string;
  /** Size of the whole file. */
  readonly bytes: number;
}

/**
 * Reads a window of lines without loading the rest; at most `maxReadBytes`.
 *
 * @throws ToolError INVALID_ARGUMENTS, BINARY_FILE, ENCODING, and those of `Roots.openFile`
 */
export async function readTextFile(files: Files, input: ReadTextFileInput, { signal }: RequestContext): Promise<TextWindow> {
  const range = rangeOf(input);
  await using file = await files.roots.openFile(input.path);
  const { bytes, ...window } = await readWindow(file, range, { maxBytes: files.limits.maxReadBytes, signal });
  return { ...window, text: decodeText(bytes, input.path), bytes: file.size };
}

function rangeOf({ head, tail, offset, limit }: ReadTextFileInput): LineRange {
  const others = [head, offset, limit].filter((value) => value !== undefined).length;
  if (tail !== undefined && others > 0) throw new ToolError('INVALID_ARGUMENTS', 'tail does not go with head, offset or limit');
  if (head !== undefined && others > 1)
    throw new ToolError('INVALID_ARGUMENTS', 'head does not go with offset or limit; it is short for limit');
  if (tail !== undefined) return { from: 'end', limit: tail };
  return { from: 'start', offset: offset ?? 0, limit: head ?? limit };
}
