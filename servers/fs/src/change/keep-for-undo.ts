import { takeSnapshot, type TakenSnapshot } from '../journal/snapshot.ts';
import { computeEtag } from '../storage/etag.ts';
import { conflict, type Target } from '../storage/target.ts';
import type { ChangeableFiles } from './change-support.ts';

/**
 * Takes a snapshot of a name and stores its contents in the journal.
 *
 * @param maxEntries maximum number of entries of a directory
 * @throws ToolError the codes of `takeSnapshot`; CONFLICT if the file is not the checked one
 */
export async function keepForUndo(
  { changes: { journal } }: Pick<ChangeableFiles, 'changes'>,
  { directory, name, shown, facts }: Target,
  signal: AbortSignal,
  maxEntries = 1,
): Promise<TakenSnapshot> {
  const keep = journal.contents.keep.bind(journal.contents);
  const taken = await takeSnapshot(directory, name, { signal, maxEntries, maxBytes: journal.maxBytes, keep });
  const expected = facts && computeEtag(facts);
  const { snapshot } = taken;
  if (snapshot.type === 'file' && snapshot.etag !== expected) throw conflict(shown, expected, snapshot.etag);
  return taken;
}
