import { realpath, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';

import type { Repository } from './repository.ts';

/**
 * Deletes files of the work tree, and the directories that this empties. What is reached through a link is left alone.
 *
 * @returns the files that were deleted; what is gone already counts
 */
export async function removeFiles({ ground, signal }: Repository, files: readonly string[]): Promise<readonly string[]> {
  const within = new Map<string, string[]>();
  for (const file of files) within.set(path.dirname(file), [...(within.get(path.dirname(file)) ?? []), file]);
  const removed: string[] = [];
  for (const [directory, held] of within) {
    signal.throwIfAborted();
    const place = path.join(ground.top, directory);
    if ((await realpath(place).catch(() => undefined)) !== place) continue;
    for (const file of held) {
      const gone = await unlink(path.join(ground.top, file)).then(
        () => true,
        (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
      );
      if (gone) removed.push(file);
    }
    await removeEmpty(ground.top, directory);
  }
  return removed;
}

async function removeEmpty(top: string, directory: string): Promise<void> {
  for (let each = directory; each !== '.' && each !== ''; each = path.dirname(each)) {
    const emptied = await rmdir(path.join(top, each)).then(
      () => true,
      () => false,
    );
    if (!emptied) return;
  }
}
