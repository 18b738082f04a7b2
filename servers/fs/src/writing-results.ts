import { Result } from '@org/mcp-decorators';

import type { EditOutcome } from './operations/edit-file.ts';
import type { ChangeList } from './operations/list-changes.ts';
import type { MadeChange } from './operations/made-change.ts';
import type { UndoneChange } from './operations/undo-change.ts';
import type { WrittenFile } from './operations/written-file.ts';
import { visibleName } from './text/escape.ts';

export function writtenResult(written: WrittenFile, verb: 'Replaced' | 'Appended to'): Result {
  const { path, bytes, created, etag } = written;
  return Result.of(
    written,
    `${created ? 'Created' : verb} ${visibleName(path)} (${bytes} bytes, etag ${etag})${undoNote(written)}`,
  );
}

/** The difference as a block of code, whatever is in it. */
export function editedResult({ edited, diff, isDryRun }: EditOutcome): Result {
  const { path, replacements } = edited;
  const fence = '`'.repeat(Math.max(3, ...(diff.text.match(/`+/g) ?? []).map((run) => run.length + 1)));
  const name = visibleName(path);
  const done = isDryRun ? 'Nothing was changed: dry run' : `${replacements} replaced; etag ${edited.etag}${undoNote(edited)}`;
  if (diff.hunks === 0) return Result.of(edited, `No difference in ${name}\n${done}`);
  return Result.of(edited, `${fence}diff\n--- ${name}\n+++ ${name}\n${diff.text}\n${fence}\n${done}`);
}

/** @param done what was done, as the beginning of a sentence */
export function changeResult(change: MadeChange, done: string): Result {
  const { path, entries, skipped } = change;
  const held = entries === undefined ? '' : ` (${entries} entries)`;
  const left = skipped === undefined ? '' : `; ${skipped} that the operator denies were left out`;
  return Result.of(change, `${done} ${visibleName(path)}${held}${left}${undoNote(change)}`);
}

export function undoneResult(undone: UndoneChange): Result {
  return Result.of(undone, `Undid ${undone.tool} on ${undone.paths.map(visibleName).join(' and ')}${undoNote(undone)}`);
}

export function changesResult(list: ChangeList): Result {
  const lines = list.changes.map(
    ({ undoId, time, tool, paths }) => `${undoId} ${time} ${tool} ${paths.map(visibleName).join(' and ')}`,
  );
  if (list.nextCursor !== undefined) lines.push(`… earlier ones with cursor ${list.nextCursor}`);
  return Result.of(list, lines.length === 0 ? 'No changes are kept' : lines.join('\n'));
}

function undoNote({ undoId }: { readonly undoId?: string }): string {
  return undoId === undefined ? '' : `; undo with ${undoId}`;
}
