import { Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import { createTextDiff, type TextDiff } from '../../edits/text-diff.ts';
import { decode } from '../../text/encoding.ts';
import { detectEncoding } from '../../text/read-text.ts';
import { formatDiff, placesNote } from '../changing/diff-result.ts';
import type { Files } from '../files.ts';
import { readWholeFile } from '../../text/read-whole-file.ts';

/** Number of bytes of a result that are reserved for other text than the difference and the paths. */
const AROUND = 400;

export class DiffFilesInput {
  @Text('Path of the old file') from!: string;
  @Text('Path of the new file') to!: string;
}

/** The difference between two files. */
export interface FileDiff {
  readonly from: string;
  readonly to: string;
  readonly diff: TextDiff;
}

/**
 * Compares two text files by lines. Different line endings count as differences.
 *
 * @throws ToolError BINARY_FILE, ENCODING, TOO_LARGE, and the codes of `Roots.openFile`
 */
export async function diffFiles(files: Files, { from, to }: DiffFilesInput, { signal }: RequestContext): Promise<FileDiff> {
  const [before, after] = [await readText(files, from, signal), await readText(files, to, signal)];
  const maxBytes = files.limits.maxBytes - AROUND - Buffer.byteLength(before.shown) - Buffer.byteLength(after.shown);
  const diff = await createTextDiff(before.text, after.text, maxBytes);
  return { from: before.shown, to: after.shown, diff };
}

async function readText(
  files: Files,
  given: string,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly shown: string }> {
  await using file = await files.roots.openFile(given);
  const { maxEditBytes } = files.limits;
  const hint = 'the operator can raise the limit with --max-edit-bytes';
  const bytes = await readWholeFile(file, given, { maxBytes: maxEditBytes, hint, signal });
  const encoding = detectEncoding(bytes);
  if (encoding === undefined) throw new ToolError('BINARY_FILE', `${quotePath(given)} is not a text file`);
  return { text: (await decode(bytes, encoding)).text, shown: file.shown };
}

export function fileDiffResult({ from, to, diff }: FileDiff): Result {
  const note = diff.truncated ? `${placesNote([diff])}; read_text_file shows the rest.` : undefined;
  return Result.text(formatDiff(to, diff, from), { facts: { from, to, hunks: diff.hunks }, note });
}
