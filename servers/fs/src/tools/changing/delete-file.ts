import { Flag, ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import { keepForUndo } from '../../change/keep-for-undo.ts';
import { runRecorded } from '../../change/run-recorded.ts';
import { requireExisting, withEntries, type Entry } from '../../change/with-targets.ts';
import { SnapshotRestorer } from '../../journal/restore.ts';
import { NONE } from '../../journal/snapshot.ts';
import { requireNothingDenied } from '../../storage/nothing-denied.ts';
import { requireEtag, requireUnchanged } from '../../storage/target.ts';
import type { Files } from '../files.ts';
import { ChangeInput } from './change-input.ts';
import type { MadeChange } from './change-result.ts';

export class DeleteFileInput extends ChangeInput {
  @Flag('Also delete non-empty directories', { optional: true }) recursive?: boolean;
}

/**
 * Removes a file, link or directory. Unless the change is `permanent`, the journal keeps the content for undo.
 *
 * @throws ToolError NOT_EMPTY, CONFLICT, TOO_LARGE, TIMEOUT, NOT_REGULAR_FILE, NOT_FOUND, and the codes of
 * `Roots.findEntryToMove`
 */
export async function deleteFile(files: Files, input: DeleteFileInput, { signal }: RequestContext): Promise<MadeChange> {
  return withEntries(files, [input.path], signal, async ([target]) => {
    const entry = await requireExisting(files, target, input.path);
    requireEtag(input.path, entry.facts, input.ifMatch);
    await requireRemovable(entry, input);
    const { entries, undoId } = await (input.permanent === true ? removePermanently : removeToJournal)(files, entry, signal);
    return { path: entry.shown, ...(entry.facts.isDirectory() && { entries }), ...(undoId !== undefined && { undoId }) };
  });
}

interface Removed {
  readonly entries: number;
  readonly undoId?: string | undefined;
}

async function removeToJournal(files: Files, entry: Entry, signal: AbortSignal): Promise<Removed> {
  const { snapshot, entries, bytes } = await keepForUndo(files, entry, signal, { maxEntries: files.limits.maxTreeEntries });
  await requireUnchanged(entry);
  const steps = [{ kind: 'put', path: entry.shown, before: snapshot, after: NONE }] as const;
  const remover = new SnapshotRestorer(files.changes, signal);
  // A failed removal is reverted even if the call was cancelled.
  const reverter = new SnapshotRestorer(files.changes, new AbortController().signal);
  const { undoId } = await runRecorded(
    files,
    { tool: 'delete_file', steps, bytes },
    () => remover.removeUnchanged(entry, snapshot),
    () => reverter.restoreMissing(entry, snapshot),
  );
  return { entries, undoId };
}

async function removePermanently(files: Files, entry: Entry, signal: AbortSignal): Promise<Removed> {
  const { directory, name, facts } = entry;
  const entries = facts.isDirectory() ? await requireNothingDenied(directory, name, 'removed', signal) : 0;
  await requireUnchanged(entry);
  await new SnapshotRestorer(files.changes, signal).remove(entry);
  return { entries };
}

async function requireRemovable({ directory, name, facts }: Entry, { path, recursive }: DeleteFileInput): Promise<void> {
  if (!facts.isDirectory() || recursive === true) return;
  await using removed = await directory.openDirectory(name);
  if (await removed.isEmpty()) return;
  throw new ToolError('NOT_EMPTY', `${quotePath(path)} is a directory that is not empty`, {
    hint: 'set recursive to delete the directory with its contents',
  });
}
