import { Result } from '@org/mcp-decorators';

import type { EditOutcome } from '../operations/edit-file.ts';
import type { ChangeList } from '../operations/list-changes.ts';
import type { MadeChange } from '../operations/made-change.ts';
import type { ReplaceOutcome } from '../operations/replace-in-files.ts';
import type { UndoneChange } from '../operations/undo-change.ts';
import type { WrittenFile } from '../operations/written-file.ts';
import { visibleName } from '../text/escape.ts';
import { runsByItself } from '../text/runs-by-itself.ts';
import type { TextDiff } from '../write/edits/text-diff.ts';

export function writtenResult(written: WrittenFile, verb: 'Replaced' | 'Appended to'): Result {
  const { path, bytes, created, etag } = written;
  const done = `${created ? 'Created' : verb} ${visibleName(path)} (${bytes} bytes, etag ${etag})`;
  return madeResult(written, done, [path]);
}

/** The difference as text alone, facts about it in `_meta`. */
export function editedResult({ edited, diff, isDryRun }: EditOutcome): Result {
  const { path, replacements } = edited;
  const rest = isDryRun ? 'startLine and endLine of an edit narrow it' : 'read_text_file shows the changed file';
  const done = isDryRun ? DRY_RUN : `${replacements} replaced; etag ${edited.etag}${undoNote(edited)}${runsNote([path])}`;
  const note = diff.truncated ? `${placesNote([diff])}; ${rest}.` : undefined;
  return Result.text(`${diffBlock(path, diff)}\n${done}`, { facts: { ...edited, dryRun: isDryRun }, note });
}

/** Differences, and occurrences of a dry run, as text alone; facts about them in `_meta`. */
export function replacedResult({ replaced, diffs, isDryRun }: ReplaceOutcome): Result {
  const { files, replacements } = replaced;
  const lines = files.slice(0, diffs.length + MOST_COUNTED).flatMap(({ path, replacements: count, occurrences = [] }, index) => {
    const diff = diffs[index];
    const ids = occurrences.map(({ id, line, text }) => `${id} ${line}: ${text}`);
    return [diff === undefined ? `${visibleName(path)}: ${count}` : diffBlock(path, diff), ...ids];
  });
  const others = files.length - diffs.length - MOST_COUNTED;
  if (others > 0) lines.push(`${others} more files`);
  const count = `${replacements} in ${files.length === 1 ? '1 file' : `${files.length} files`}`;
  const runs = runsNote(files.map(({ path }) => path));
  lines.push(isDryRun ? `${DRY_RUN}; it would replace ${count}` : `Replaced ${count}${undoNote(replaced)}${runs}`);
  const note = replacedNote({ replaced, diffs, isDryRun }).join(' ');
  return Result.text(lines.join('\n'), { facts: { ...replaced, dryRun: isDryRun }, ...(note !== '' && { note }) });
}

/** Sentences. */
function replacedNote({ replaced, diffs, isDryRun }: ReplaceOutcome): readonly string[] {
  const { files, replacements, binary, unreadable } = replaced;
  const notes: string[] = [];
  const rest = isDryRun ? 'path, include and exclude choose fewer files' : 'read_text_file shows the changed files';
  const scope = diffs.length < files.length ? `in the first ${diffs.length} of ${files.length} files` : '';
  if (scope !== '' || diffs.some(({ truncated }) => truncated)) notes.push(`${placesNote(diffs, scope)}; ${rest}.`);
  const listed = listedIn(replaced);
  if (isDryRun && replacements > listed)
    notes.push(`${listed} of ${replacements} ids are shown; path, include and exclude choose others.`);
  if (binary > 0) notes.push(`${binary} binary ${binary === 1 ? 'file was' : 'files were'} left out.`);
  if (unreadable > 0) notes.push(`${unreadable} files or directories could not be read.`);
  return notes;
}

/**
 * Returns the sentence about the changed places, without its full stop.
 *
 * @param scope such as `in the first 2 of 3 files`; empty if no file is left out
 */
function placesNote(diffs: readonly TextDiff[], scope = ''): string {
  const shown = sumOf(diffs.map(({ shownPlaces }) => shownPlaces));
  const places = sumOf(diffs.map((diff) => diff.places));
  if (shown === places && scope === '') return 'Long lines are shortened around their first change';
  return `${shown} of ${places} changed places${scope && ` ${scope}`} are shown`;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function listedIn({ files }: ReplaceOutcome['replaced']): number {
  return sumOf(files.map(({ occurrences = [] }) => occurrences.length));
}

/** The difference as a block of code, whatever is in it. */
function diffBlock(path: string, diff: TextDiff): string {
  const name = visibleName(path);
  if (diff.hunks === 0) return `No difference in ${name}`;
  const fence = '`'.repeat(Math.max(3, ...(diff.text.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return `${fence}diff\n--- ${name}\n+++ ${name}\n${diff.text}\n${fence}`;
}

/** Paths of one change in a text. */
const MOST_NAMED = 5;
/** Files whose difference has no room, and that are counted one by one. */
const MOST_COUNTED = 50;
const DRY_RUN = 'Nothing was changed: dry run';

export function createdResult(change: MadeChange): Result {
  if (change.undoId === undefined) return Result.of({ ...change, existed: true }, `${visibleName(change.path)} is there already`);
  return changeResult(change, 'Created directory', []);
}

/**
 * @param done verb that starts the sentence, such as `Created directory`
 * @param written paths of files that have new content
 */
export function changeResult(change: MadeChange, done: string, written: readonly string[] = [change.path]): Result {
  const { path, entries, skipped } = change;
  const held = entries === undefined ? '' : ` (${entries} entries)`;
  const left = skipped === undefined ? '' : `; ${skipped} left out: denied, or git directories`;
  return madeResult(change, `${done} ${visibleName(path)}${held}${left}`, written);
}

export function undoneResult(undone: UndoneChange): Result {
  const { tool, paths } = undone;
  return madeResult(undone, `Undid ${tool} on ${named(paths)}`, paths);
}

/** What was done, how to undo it, and a warning about the content, as text and as structure. */
function madeResult(change: { readonly undoId?: string }, done: string, written: readonly string[]): Result {
  const warning = warningOf(written);
  return Result.of({ ...change, ...(warning !== undefined && { warning }) }, `${done}${undoNote(change)}${runsNote(written)}`);
}

export function changesResult(list: ChangeList): Result {
  const lines = list.changes.map(
    ({ undoId, time, tool, paths, morePaths }) => `${undoId} ${time} ${tool} ${named(paths, morePaths)}`,
  );
  const shown = `${lines.length} ${lines.length === 1 ? 'change is' : 'changes are'} shown`;
  if (list.nextCursor !== undefined) lines.push(`[${shown}; go on to earlier changes with cursor ${list.nextCursor}.]`);
  return Result.of(list, lines.length === 0 ? 'No changes are kept' : lines.join('\n'));
}

function named(paths: readonly string[], more = 0): string {
  const shown = paths.slice(0, MOST_NAMED).map(visibleName);
  const rest = paths.length - shown.length + more;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(' and ');
}

function runsNote(paths: readonly string[]): string {
  const warning = warningOf(paths);
  return warning === undefined ? '' : `; ${warning}`;
}

/** Returns a warning about files whose commands other programs run automatically. */
function warningOf(paths: readonly string[]): string | undefined {
  const names = paths.map(runsByItself).filter((name) => name !== undefined);
  if (names.length === 0) return undefined;
  return `review ${named([...new Set(names)])}: editors, agents or git may run commands from such a file without asking`;
}

function undoNote({ undoId }: { readonly undoId?: string }): string {
  return undoId === undefined ? '' : `; undo with ${undoId}`;
}
