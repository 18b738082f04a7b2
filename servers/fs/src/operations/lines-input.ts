import { Integer, OneOf, ToolError } from '@org/mcp-decorators';

import { ENCODINGS, type Encoding } from '../text/encoding.ts';
import type { LineRange } from '../text/window.ts';
import { PathInput } from './path-input.ts';

/** With fewer, not every line has room for a character, and reading on would not come to an end. */
export const LEAST_BYTES = 16;

/** The beginning, the end or all of a text file. */
export class ReadFileInput extends PathInput {
  @Integer('Only the first lines', { optional: true, min: 1 }) head?: number;
  @Integer('Only the last lines', { optional: true, min: 1 }) tail?: number;
}

/** Lines of a text file. */
export class LinesInput extends ReadFileInput {
  @Integer('Lines to skip', { optional: true, min: 0 }) offset?: number;
  @Integer('Bytes to skip of a line that was cut', { optional: true, min: 0 }) skipBytes?: number;
  @Integer('Most lines', { optional: true, min: 1 }) limit?: number;
  @OneOf(['auto', ...ENCODINGS]) encoding: Encoding | 'auto' = 'auto';
}

/** @throws ToolError INVALID_ARGUMENTS */
export function rangeOf({ head, tail, offset, skipBytes, limit }: Omit<LinesInput, 'path' | 'encoding'>): LineRange {
  const others = [head, offset, skipBytes, limit].filter((value) => value !== undefined).length;
  if (tail !== undefined && others > 0)
    throw new ToolError('INVALID_ARGUMENTS', 'tail does not go with head, offset, skipBytes or limit');
  if (head !== undefined && others > 1)
    throw new ToolError('INVALID_ARGUMENTS', 'head does not go with offset, skipBytes or limit; it is short for limit');
  if (tail !== undefined) return { from: 'end', limit: tail };
  return { from: 'start', offset: offset ?? 0, skipBytes, limit: head ?? limit };
}
