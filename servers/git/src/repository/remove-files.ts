import { rmdir, unlink } from 'node:fs/promises';

import { directoriesAbove } from './path-bytes.ts';
import { isInPlace, onDisk } from './paths.ts';
import type { Repository } from './repository.ts';

/**
 * Deletes files of the work tree, and the directories that this empties. What is reached through a link is left alone.
 *
 * @returns the files that were deleted; what is gone already counts
 */
export async function removeFiles(repository: Repository, files: readonly string[]): Promise<readonly string[]> {
  const within = new Map<string, string[]>();
  for (const file of files) {
    const directory = directoriesAbove(file).at(-1) ?? '.';
    within.set(directory, [...(within.get(directory) ?? []), file]);
  }
  const removed: string[] = [];
  for (const [directory, held] of within) {
    repository.signal.throwIfAborted();
    if (!(await isInPlace(repository, directory))) continue;
    for (const file of held) if (await remove(onDisk(repository, file))) removed.push(file);
    await removeEmpty(repository, held[0] ?? '');
  }
  return removed;
}

function remove(place: Buffer): Promise<boolean> {
  return unlink(place).then(
    () => true,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  );
}

async function removeEmpty(repository: Repository, file: string): Promise<void> {
  for (const directory of directoriesAbove(file).toReversed()) {
    const emptied = await rmdir(onDisk(repository, directory)).then(
      () => true,
      () => false,
    );
    if (!emptied) return;
  }
}
