import type { OpenDirectory } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { takeSnapshot, type Taken } from '../journal/snapshot.ts';

/**
 * What a name stands for now, with the contents kept in the journal.
 *
 * @param maxEntries of a directory
 * @throws ToolError as `takeSnapshot`
 */
export function keepForUndo(
  { changes: { journal } }: Pick<Files, 'changes'>,
  { directory, name }: { readonly directory: OpenDirectory; readonly name: string },
  signal: AbortSignal,
  maxEntries = 1,
): Promise<Taken> {
  const keep = journal.contents.keep.bind(journal.contents);
  return takeSnapshot(directory, name, { signal, maxEntries, maxBytes: journal.maxBytes, keep });
}
