import { Result } from '@org/mcp-decorators';

import type { TextDiff } from '../../edits/text-diff.ts';
import { visibleName } from '../../text/format.ts';
import { formatCount, sum } from '../notes.ts';
import { undoNote, warningNote } from './change-result.ts';
import { DRY_RUN, formatDiff, placesNote } from './diff-result.ts';

/** Maximum number of files without a shown difference that are listed with their counts. */
const MAX_COUNTED = 50;

/** An occurrence of the text that a call without `dryRun` would replace. */
export interface Occurrence {
  /** Valid until the file changes. */
  readonly id: string;
  readonly line: number;
  /** The line in which the occurrence begins, or the beginning of a long line. */
  readonly text: string;
}

/** A file with replacements, or a file that a dry run would change. */
export interface ReplacedFile {
  readonly path: string;
  readonly etag: string;
  readonly replacements: number;
  /** Present only in a dry run. */
  readonly occurrences?: readonly Occurrence[];
}

/** All replacements of a call. */
export interface ReplacedFiles {
  readonly files: readonly ReplacedFile[];
  /** Number of replacements in all files. */
  readonly replacements: number;
  /** Number of binary files, which are not changed. */
  readonly binary: number;
  /** Number of unreadable files and directories, and of UTF-16 files that are too large for a search. */
  readonly unreadable: number;
  /** Id with which undo_change undoes the whole call; absent in a dry run. */
  readonly undoId?: string;
}

/** All replacements of a call, with the differences that fit. */
export interface ReplaceOutcome {
  readonly replaced: ReplacedFiles;
  /** Differences of the first files. */
  readonly diffs: readonly TextDiff[];
  readonly isDryRun: boolean;
}

/**
 * Creates a result with the differences, and the occurrences of a dry run, as text. Facts about the replacements are in
 * `_meta`.
 */
export function replaceResult({ replaced, diffs, isDryRun }: ReplaceOutcome): Result {
  const { files, replacements } = replaced;
  const lines = files.slice(0, diffs.length + MAX_COUNTED).flatMap(({ path, replacements: count, occurrences = [] }, index) => {
    const diff = diffs[index];
    const ids = occurrences.map(({ id, line, text }) => `${id} ${line}: ${text}`);
    return [diff === undefined ? `${visibleName(path)}: ${count}` : formatDiff(path, diff), ...ids];
  });
  const others = files.length - diffs.length - MAX_COUNTED;
  if (others > 0) lines.push(formatCount(others, 'more file', 'more files'));
  const count = `${replacements} in ${files.length === 1 ? '1 file' : `${files.length} files`}`;
  const warning = warningNote(files.map(({ path }) => path));
  lines.push(isDryRun ? `${DRY_RUN}; the call would replace ${count}` : `Replaced ${count}${undoNote(replaced)}${warning}`);
  const note = replacementNotes({ replaced, diffs, isDryRun }).join(' ');
  return Result.text(lines.join('\n'), { facts: { ...replaced, dryRun: isDryRun }, ...(note !== '' && { note }) });
}

function replacementNotes({ replaced, diffs, isDryRun }: ReplaceOutcome): readonly string[] {
  const { files, replacements, binary, unreadable } = replaced;
  const notes: string[] = [];
  const rest = isDryRun ? 'path, include and exclude select fewer files' : 'read_text_file shows the changed files';
  const scope = diffs.length < files.length ? `in the first ${diffs.length} of ${files.length} files` : '';
  if (scope !== '' || diffs.some(({ truncated }) => truncated)) notes.push(`${placesNote(diffs, scope)}; ${rest}.`);
  const listed = sum(files.map(({ occurrences = [] }) => occurrences.length));
  if (isDryRun && replacements > listed)
    notes.push(`${listed} of ${replacements} ids are shown; path, include and exclude select others.`);
  if (binary > 0) notes.push(`${binary} binary ${binary === 1 ? 'file was' : 'files were'} skipped.`);
  if (unreadable > 0) notes.push(`Files or directories that could not be read or are too large to search: ${unreadable}.`);
  return notes;
}
