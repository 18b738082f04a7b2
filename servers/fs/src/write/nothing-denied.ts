import { ToolError } from '@org/mcp-decorators';
import { spelled, type OpenDirectory } from '@org/mcp-roots';

import { entryTypeOf } from '../entry-type.ts';
import type { Snapshot } from '../journal/snapshot.ts';

/** Operation on a directory. */
export type Fate = 'moved' | 'removed';

/**
 * Counts the entries of a directory that is about to be moved or removed, and requires that none is denied. In another place other
 * globs may apply and allow a name that is denied here.
 *
 * Protected git directories may be moved with their directory, but not removed.
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

/** @throws ToolError DENIED_BY_POLICY if the snapshot to create at `shown` contains a protected git directory or configuration */
export function requireNoGit(directory: OpenDirectory, snapshot: Snapshot, shown: string): void {
  if (snapshot.type !== 'directory') return;
  if (directory.wouldGuardGit(snapshot.entries.map(([name]) => name))) throw holdsGit({ shown });
  for (const [, entry] of snapshot.entries) requireNoGit(directory, entry, shown);
}

/** Creates the error for removing or restoring a directory that contains a repository or the configuration of git. */
export function holdsGit({ shown }: Pick<OpenDirectory, 'shown'>): ToolError {
  return new ToolError(
    'DENIED_BY_POLICY',
    `${spelled(shown)} contains a git directory or the configuration of git, which may not be changed`,
    {
      hint: 'nothing was changed; the operator allows this with --allow-git-dir',
    },
  );
}
