import { ToolError } from '@org/mcp-decorators';
import { quotePath, type OpenDirectory } from '@org/mcp-roots';

import { toEntryType } from './entry-type.ts';

/** The operation that is about to be made on a directory. */
export type DirectoryOperation = 'moved' | 'removed';

/**
 * Counts all entries below a directory that is about to be moved or removed, and requires that no entry is denied. After a move,
 * other globs may apply and allow a name that is denied here.
 *
 * Protected git directories may be moved with their directory, but not removed.
 *
 * @throws ToolError DENIED_BY_POLICY if an entry is denied, or if a protected entry of git would be removed
 */
export async function requireNothingDenied(
  above: OpenDirectory,
  name: string,
  operation: DirectoryOperation,
  signal: AbortSignal,
): Promise<number> {
  await using directory = await above.openDirectory(name);
  let count = 0;
  for await (const entry of directory.entries()) {
    signal.throwIfAborted();
    if (directory.isDenied(entry.name)) throw containsDenied(directory);
    if (operation === 'removed' && (await directory.isGuardedGit(entry.name))) throw containsGit(directory);
    count += 1;
    if (toEntryType(entry) === 'directory') count += await requireNothingDenied(directory, entry.name, operation, signal);
  }
  return count;
}

/** Creates the error for a directory that contains a denied entry. The message does not disclose the name of the entry. */
export function containsDenied({ shown }: OpenDirectory): ToolError {
  return new ToolError('DENIED_BY_POLICY', `${quotePath(shown)} contains an entry that the operator denies`);
}

/** Creates the error for removing, copying or restoring a directory that contains a git directory or configuration of git. */
export function containsGit({ shown }: Pick<OpenDirectory, 'shown'>): ToolError {
  return new ToolError(
    'DENIED_BY_POLICY',
    `${quotePath(shown)} contains a git directory or the configuration of git, which may not be changed`,
    {
      hint: 'nothing was changed; the operator can allow the change with --allow-git-dir',
    },
  );
}
