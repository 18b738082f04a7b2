import { callerBehind, Flag, Integer, ListOf, OneOf, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled, type OpenDirectory } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import type { ClosestQuery } from '../walk/job.ts';
import { changeFile, withFile } from '../write/change-file.ts';
import { applyEdits, type Match } from '../write/edits/apply-edits.ts';
import type { ClosestRegion } from '../write/edits/closest-region.ts';
import { textDiff, type TextDiff } from '../write/edits/text-diff.ts';
import { readEditable } from '../write/edits/read-editable.ts';
import { ChangeInput } from './change-input.ts';

const MATCHES = ['exact', 'whitespace'] as const;
const MAX_EDITS = 200;
/** Maximum time, in milliseconds, to search for the hint of an error. */
const CLOSEST_MS = 5000;

/** Bytes of a result that are not of the difference, apart from the path. */
const AROUND = 400;

/** One replacement in a file. */
export class FileEdit {
  @Text('Must occur exactly once by default', { minLength: 1 }) oldText!: string;
  @Text() newText!: string;
  @Flag('Replace each', { optional: true }) replaceAll?: boolean;
  @Integer('Fail unless exactly n occurrences match', { optional: true, min: 1 }) expectedCount?: number;
  @Integer('First line, counted before the edits', { optional: true, min: 1 }) startLine?: number;
  @Integer('Last line', { optional: true, min: 1 }) endLine?: number;
}

export class EditFileInput extends ChangeInput {
  @ListOf(() => FileEdit, 'Made in this order', { minItems: 1, maxItems: MAX_EDITS }) edits!: FileEdit[];
  @Flag('Only show the diff', { optional: true }) dryRun?: boolean;

  @OneOf(MATCHES, 'whitespace (default): lines not found exactly match whatever their indentation', { optional: true })
  match?: Match;
}

/** A file that was edited, or would be. */
export interface EditedFile {
  readonly path: string;
  readonly etag: string;
  readonly hunks: number;
  readonly replacements: number;
  readonly undoId?: string;
}

/** What an edit came to, with the difference it makes. */
export interface EditOutcome {
  readonly edited: EditedFile;
  readonly diff: TextDiff;
  readonly isDryRun: boolean;
}

/**
 * Replaces texts in a file, all or none; every other byte stays as it is.
 *
 * @throws ToolError NO_MATCH, AMBIGUOUS_MATCH, CONFLICT, BINARY_FILE, ENCODING, TOO_LARGE, TIMEOUT, NOT_FOUND, IS_DIRECTORY,
 * NOT_REGULAR_FILE, NO_SPACE, and those of `Roots.placeToWrite`
 */
export async function editFile(files: Files, input: EditFileInput, { signal }: RequestContext): Promise<EditOutcome> {
  return withFile(files, input, signal, async (target) => {
    const file = await readEditable(files, target, input.path);
    if (file === undefined) throw new ToolError('BINARY_FILE', `${spelled(input.path)} is not a text file`);
    const { text, etag } = file;
    const { text: after, replacements } = await applyEdits(text, input.edits, {
      match: input.match ?? 'whitespace',
      maxCharacters: files.limits.maxEditBytes,
      signal,
      closest: (among, oldText) => closestIn(files, target.directory, { text: among, oldText }, signal),
    });
    const content = await file.encode(after);
    const diff = await textDiff(text, after, files.limits.maxBytes - AROUND - 2 * Buffer.byteLength(target.shown));
    const isDryRun = input.dryRun === true;
    const outcome = isDryRun
      ? { path: target.shown, etag }
      : await changeFile(files, target, { tool: 'edit_file', content, permanent: input.permanent }, signal);
    return { edited: { ...outcome, hunks: diff.hunks, replacements }, diff, isDryRun };
  });
}

/**
 * Searches in a worker thread, because a large text takes long. Resolves to `undefined` if the search fails, no thread is free or
 * the search takes longer than 5 s.
 *
 * @throws the signal's reason
 */
async function closestIn(
  { threads }: Files,
  directory: OpenDirectory,
  query: ClosestQuery,
  signal: AbortSignal,
): Promise<ClosestRegion | undefined> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(CLOSEST_MS)]);
  const ground = await directory.threadGround();
  const order = { kind: 'closest', query, ground, budgetMs: CLOSEST_MS, onFound: () => undefined } as const;
  try {
    return (await threads.run({ ...order, signal: patience }, callerBehind(signal))).region;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
