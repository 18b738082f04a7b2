import { ToolError } from '@org/mcp-decorators';
import { spelled, type OpenDirectory } from '@org/mcp-roots';

import { entryTypeOf } from '../entry-type.ts';
import type { Snapshot } from '../journal/snapshot.ts';

/** What is to become of a directory. */
export type Fate = 'moved' | 'removed';

/**
 * Counts what is in a directory that is to be moved or removed whole: somewhere else another glob may hold, and allow what is denied here.
 *
 * Git directories that may not be changed are moved with it, and not removed.
 *
 * @throws ToolError DENIED_BY_POLICY
 */
export async function requireNothingDenied(above: OpenDirectory, name: string, fate: Fate, signal: AbortSignal): Promise<number> {
  await using directory = await above.openDirectory(name);
  let count = 0;
  for await (const entry of directory.entries()) {
    signal.throwIfAborted();
    if (directory.isDenied(entry.name)) throw holdsDenied(directory);
    if (fate === 'removed' && (await directory.isGuardedGit(entry.name))) throw holdsGit(directory);
    count += 1;
    if (entryTypeOf(entry) === 'directory') count += await requireNothingDenied(directory, entry.name, fate, signal);
  }
  return count;
}

/** What is denied is not named. */
export function holdsDenied({ shown }: OpenDirectory): ToolError {
  return new ToolError('DENIED_BY_POLICY', `${spelled(shown)} holds something that the operator denies`);
}

/** @throws ToolError DENIED_BY_POLICY where what is to be made, at `shown`, contains a git directory that may not be changed */
export function requireNoGit(directory: OpenDirectory, snapshot: Snapshot, shown: string): void {
  if (snapshot.type !== 'directory') return;
  if (directory.wouldGuardGit(snapshot.entries.map(([name]) => name))) throw holdsGit({ shown });
  for (const [, entry] of snapshot.entries) requireNoGit(directory, entry, shown);
}

/** For a directory that would have to be removed or restored with the repository in it. */
export function holdsGit({ shown }: Pick<OpenDirectory, 'shown'>): ToolError {
  return new ToolError('DENIED_BY_POLICY', `${spelled(shown)} contains a git directory, which may not be changed`, {
    hint: 'nothing was changed; the operator allows this with --allow-git-dir',
  });
}
