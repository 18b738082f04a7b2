import { rmdir, unlink } from 'node:fs/promises';
import { isNativeError } from 'node:util/types';

import { listParentDirectories } from '../parse/path-bytes.ts';
import type { Repository } from '../repository.ts';
import { isInPlace, toDiskPath } from './paths.ts';

/**
 * Deletes files of the work tree and the directories that become empty. Files behind links are not deleted.
 *
 * @returns the files that were deleted, and the files that did not exist any more
 */
export async function removeFiles(repository: Repository, files: readonly string[]): Promise<readonly string[]> {
  const within = new Map<string, string[]>();
  for (const file of files) {
    const directory = listParentDirectories(file).at(-1) ?? '.';
    within.set(directory, [...(within.get(directory) ?? []), file]);
  }
  const removed: string[] = [];
  for (const [directory, held] of within) {
    repository.signal.throwIfAborted();
    if (!(await isInPlace(repository, directory))) continue;
    for (const file of held) if (await removeFile(toDiskPath(repository, file))) removed.push(file);
    await removeEmptyDirectories(repository, held[0] ?? '');
  }
  return removed;
}

function removeFile(place: Buffer): Promise<boolean> {
  return unlink(place).then(
    () => true,
    (error: unknown) => isNativeError(error) && 'code' in error && error.code === 'ENOENT',
  );
}

async function removeEmptyDirectories(repository: Repository, file: string): Promise<void> {
  for (const directory of listParentDirectories(file).toReversed()) {
    const emptied = await rmdir(toDiskPath(repository, directory)).then(
      () => true,
      () => false,
    );
    if (!emptied) return;
  }
}
