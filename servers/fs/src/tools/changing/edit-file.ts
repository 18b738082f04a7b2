import { getCaller, Flag, ListOf, OneOf, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath, type OpenDirectory } from '@org/mcp-roots';

import { changeFile } from '../../change/change-file.ts';
import { readEditable } from '../../change/read-editable.ts';
import { withFile } from '../../change/with-targets.ts';
import { applyEdits, type Match } from '../../edits/apply-edits.ts';
import type { ClosestQuery, ClosestRegion } from '../../edits/closest-region.ts';
import { createTextDiff, type TextDiff } from '../../edits/text-diff.ts';
import { CountField } from '../fields.ts';
import type { Files } from '../files.ts';
import { ChangeInput } from './change-input.ts';
import { undoNote, warningNote } from './change-result.ts';
import { DRY_RUN, formatDiff, placesNote } from './diff-result.ts';

const MATCHES = ['exact', 'whitespace'] as const;
const MAX_EDITS = 200;
/** Time limit in milliseconds of the search for the hint of an error. */
const CLOSEST_MS = 5000;
/** Number of bytes of a result that are reserved for other text than the difference and the paths. */
const AROUND = 400;

/** One replacement in a file. */
export class FileEdit {
  @Text('Occurs once unless replaceAll or expectedCount is set. Omit to replace lines; needs ifMatch', {
    minLength: 1,
    optional: true,
  })
  oldText?: string;

  @Text() newText!: string;
  @Flag('Replace all occurrences', { optional: true }) replaceAll?: boolean;
  @CountField('Required count') expectedCount?: number;
  @CountField('First line in the unedited file') startLine?: number;
  @CountField('Last line') endLine?: number;
}

export class EditFileInput extends ChangeInput {
  @ListOf(() => FileEdit, 'Applied in this order', { minItems: 1, maxItems: MAX_EDITS }) edits!: FileEdit[];
  @Flag('Only show the diff', { optional: true }) dryRun?: boolean;

  @OneOf(MATCHES, 'whitespace (default): if no exact match, ignore indentation', { optional: true })
  match?: Match;
}

/** An edited file, or the file that a dry run would edit. */
export interface EditedFile {
  readonly path: string;
  readonly etag: string;
  readonly hunks: number;
  readonly replacements: number;
  readonly undoId?: string;
}

/** An edited file with its difference. */
export interface EditOutcome {
  readonly edited: EditedFile;
  readonly diff: TextDiff;
  readonly isDryRun: boolean;
}

/**
 * Replaces texts in a file, all or none; every other byte stays as it is.
 *
 * @throws ToolError INVALID_ARGUMENTS, NO_MATCH, AMBIGUOUS_MATCH, CONFLICT, BINARY_FILE, ENCODING, TOO_LARGE, TIMEOUT, NOT_FOUND,
 * IS_DIRECTORY, NOT_REGULAR_FILE, NO_SPACE, and the codes of `Roots.findEntryToWrite`
 */
export async function editFile(files: Files, input: EditFileInput, { signal }: RequestContext): Promise<EditOutcome> {
  requireEtagForLines(input);
  return withFile(files, input, signal, async (target) => {
    const file = await readEditable(files, target, input.path);
    if (file === undefined) throw new ToolError('BINARY_FILE', `${quotePath(input.path)} is not a text file`);
    const { text, etag } = file;
    const { text: after, replacements } = await applyEdits(text, input.edits, {
      match: input.match ?? 'whitespace',
      maxCharacters: files.limits.maxEditBytes,
      signal,
      findClosest: (among, oldText) => findClosest(files, target.directory, { text: among, oldText }, signal),
    });
    const content = await file.encode(after);
    const diff = await createTextDiff(text, after, files.limits.maxBytes - AROUND - 2 * Buffer.byteLength(target.shown));
    const isDryRun = input.dryRun === true;
    const outcome = isDryRun
      ? { path: target.shown, etag }
      : await changeFile(files, target, { tool: 'edit_file', content, permanent: input.permanent }, signal);
    return { edited: { ...outcome, hunks: diff.hunks, replacements }, diff, isDryRun };
  });
}

/**
 * Requires `startLine` and `ifMatch` for an edit without `oldText`, because line numbers are only valid for the content that the
 * model has read.
 *
 * @throws ToolError INVALID_ARGUMENTS
 */
function requireEtagForLines({ edits, ifMatch }: EditFileInput): void {
  const index = edits.findIndex(
    ({ oldText, startLine }) => oldText === undefined && (startLine === undefined || ifMatch === undefined),
  );
  const edit = edits[index];
  if (edit === undefined) return;
  const missing = edit.startLine === undefined ? 'oldText or startLine' : 'oldText, so the call needs ifMatch';
  throw new ToolError('INVALID_ARGUMENTS', `edits[${index}] has no ${missing}`, {
    hint: 'lines are replaced by their numbers only if the file still has the etag of the version that was read',
  });
}

/**
 * Finds the most similar region in a worker thread, because a large text takes long. Resolves to `undefined` if no region is
 * similar, if the search fails, or after 5 s. The wait for a thread counts.
 *
 * @throws the signal's reason
 */
async function findClosest(
  { threads }: Files,
  directory: OpenDirectory,
  query: ClosestQuery,
  signal: AbortSignal,
): Promise<ClosestRegion | undefined> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CLOSEST_MS)]);
  const workerScope = await directory.workerScope();
  const job = { kind: 'closest', query, workerScope, budgetMs: CLOSEST_MS, onFound: () => undefined } as const;
  try {
    return (await threads.run({ ...job, signal: limited }, getCaller(signal))).region;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Creates a result with the difference as text and facts about the edited file in `_meta`. */
export function editResult({ edited, diff, isDryRun }: EditOutcome): Result {
  const { path, replacements } = edited;
  const rest = isDryRun ? 'set startLine and endLine of an edit to show fewer places' : 'read_text_file shows the changed file';
  const done = isDryRun
    ? DRY_RUN
    : `${replacements} ${replacements === 1 ? 'replacement' : 'replacements'}; etag ${edited.etag}${undoNote(edited)}${warningNote([path])}`;
  const note = diff.truncated ? `${placesNote([diff])}; ${rest}.` : undefined;
  return Result.text(`${formatDiff(path, diff)}\n${done}`, { facts: { ...edited, dryRun: isDryRun }, note });
}
