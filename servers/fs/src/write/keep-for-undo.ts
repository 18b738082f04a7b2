import { etagOf } from '../etag.ts';
import type { Files } from '../files.ts';
import { takeSnapshot, type Taken } from '../journal/snapshot.ts';
import { conflict } from './unchanged.ts';
import type { Target } from './write-atomically.ts';

/**
 * What a name stands for now, with the contents kept in the journal.
 *
 * @param maxEntries of a directory
 * @throws ToolError as `takeSnapshot`; CONFLICT where a file is not the one that was looked at, as a name may stand for one, another, and
 * the first again
 */
export async function keepForUndo(
  { changes: { journal } }: Pick<Files, 'changes'>,
  { directory, name, shown, facts }: Target,
  signal: AbortSignal,
  maxEntries = 1,
): Promise<Taken> {
  const keep = journal.contents.keep.bind(journal.contents);
  const taken = await takeSnapshot(directory, name, { signal, maxEntries, maxBytes: journal.maxBytes, keep });
  const expected = facts && etagOf(facts);
  const { snapshot } = taken;
  if (snapshot.type === 'file' && snapshot.etag !== expected) throw conflict(shown, expected, snapshot.etag);
  return taken;
}
