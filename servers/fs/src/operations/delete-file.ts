import { Flag, ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { Restoring } from '../journal/restore.ts';
import { NONE } from '../journal/snapshot.ts';
import { requireThere, withEntries, type Entry } from '../write/entry-places.ts';
import { keepForUndo } from '../write/keep-for-undo.ts';
import { requireNothingDenied } from '../write/nothing-denied.ts';
import { recorded } from '../write/recorded.ts';
import { requireEtag, requireUnchanged } from '../write/unchanged.ts';
import { ChangeInput } from './change-input.ts';
import type { MadeChange } from './made-change.ts';

export class DeleteFileInput extends ChangeInput {
  @Flag('A directory with all in it', { optional: true }) recursive?: boolean;
}

/**
 * Removes a file, a link or a directory; it is kept for undo unless the change is `permanent`.
 *
 * @throws ToolError NOT_EMPTY, CONFLICT, TOO_LARGE, TIMEOUT, NOT_REGULAR_FILE, NOT_FOUND, and those of `Roots.placeToMove`
 */
export async function deleteFile(files: Files, input: DeleteFileInput, { signal }: RequestContext): Promise<MadeChange> {
  return withEntries(files, [input.path], signal, async ([target]) => {
    const entry = await requireThere(files, target, input.path);
    requireEtag(input.path, entry.facts, input.ifMatch);
    await requireRemovable(entry, input);
    const removed = await (input.permanent === true ? removeForGood : removeToJournal)(files, entry, signal);
    const { entries, undoId } = removed;
    return { path: entry.shown, ...(entry.facts.isDirectory() && { entries }), ...(undoId !== undefined && { undoId }) };
  });
}

interface Removed {
  readonly entries: number;
  readonly undoId?: string | undefined;
}

async function removeToJournal(files: Files, entry: Entry, signal: AbortSignal): Promise<Removed> {
  const { snapshot, entries, bytes } = await keepForUndo(files, entry, signal, files.limits.maxTreeEntries);
  await requireUnchanged(entry);
  const steps = [{ kind: 'put', path: entry.shown, before: snapshot, after: NONE }] as const;
  const removal = new Restoring(files.changes, signal);
  // What was begun is taken back even if the caller does not wait any more.
  const back = new Restoring(files.changes, new AbortController().signal);
  const { undoId } = await recorded(
    files,
    { tool: 'delete_file', steps, bytes },
    () => removal.removeUnchanged(entry, snapshot),
    () => back.restoreMissing(entry, snapshot),
  );
  return { entries, undoId };
}

async function removeForGood(files: Files, entry: Entry, signal: AbortSignal): Promise<Removed> {
  const { directory, name, facts } = entry;
  const entries = facts.isDirectory() ? await requireNothingDenied(directory, name, 'removed', signal) : 0;
  await requireUnchanged(entry);
  await new Restoring(files.changes, signal).remove(entry);
  return { entries };
}

async function requireRemovable({ directory, name, facts }: Entry, { path, recursive }: DeleteFileInput): Promise<void> {
  if (!facts.isDirectory() || recursive === true) return;
  await using removed = await directory.openDirectory(name);
  const entries = removed.entries();
  const { done } = await entries.next();
  await entries.return(undefined);
  if (done === true) return;
  throw new ToolError('NOT_EMPTY', `${spelled(path)} is a directory that is not empty`, {
    hint: 'recursive removes it with all that is in it',
  });
}
