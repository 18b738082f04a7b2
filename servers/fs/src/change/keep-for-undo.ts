import { takeSnapshot, type Snapshot, type TakenSnapshot } from '../journal/snapshot.ts';
import { computeEtag } from '../storage/etag.ts';
import { conflict, type Target } from '../storage/target.ts';
import type { ChangeableFiles } from './change-support.ts';

/**
 * Takes a snapshot of a name and stores its contents in the journal.
 *
 * @param limits the maximum number of entries of a directory, and the snapshots that name the examined entries
 * @throws ToolError the codes of `takeSnapshot`; CONFLICT if the file changed after the check
 */
export async function keepForUndo(
  { changes: { journal } }: Pick<ChangeableFiles, 'changes'>,
  { directory, name, shown, facts }: Target,
  signal: AbortSignal,
  { maxEntries = 1, only }: { readonly maxEntries?: number; readonly only?: readonly Snapshot[] | undefined } = {},
): Promise<TakenSnapshot> {
  const keep = journal.contents.keep.bind(journal.contents);
  const taken = await takeSnapshot(directory, name, { signal, maxEntries, maxBytes: journal.maxBytes, keep, only });
  const expected = facts && computeEtag(facts);
  const { snapshot } = taken;
  if (snapshot.type === 'file' && snapshot.etag !== expected) throw conflict(shown, expected, snapshot.etag);
  return taken;
}

/** Stores the new content of a file, so that a rewind can merge later edits. Without this content, such edits are a conflict. */
export async function keepNewContent(
  { changes: { journal } }: Pick<ChangeableFiles, 'changes'>,
  { directory, name }: Target,
): Promise<void> {
  try {
    await using file = await directory.openFile(name);
    await journal.contents.keep(file, new AbortController().signal);
  } catch {
    // Ignored: the change is already made and recorded, and only a merge by a rewind needs this content.
  }
}
