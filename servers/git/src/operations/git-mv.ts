import { lstat, mkdir } from 'node:fs/promises';

import { Text, ToolError, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { requireNoneBehindLinks } from '../repository/behind-links.ts';
import { stampsOf } from '../repository/uncommitted.ts';
import { headOf } from '../repository/head.ts';
import { keepBefore, recovering } from '../repository/keep-changes.ts';
import { bytesOfPath, directoriesAbove } from '../repository/path-bytes.ts';
import { isInPlace, onDisk, pathInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { trackedFiles } from '../repository/tracked-files.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { quoted } from '../text/visible.ts';

export class GitMvInput extends ConfirmInput {
  @Text('A tracked file or directory') source!: string;
  @Text('Its new name; directories on the way are made') destination!: string;
}

/** What has another name now. */
export interface MovedFile {
  readonly source: string;
  readonly destination: string;
  /** A command that brings back the file that was there. */
  readonly recover_with?: string;
}

/**
 * Renames a tracked file or directory. A file that is in the way is replaced once that is confirmed, and it is kept.
 *
 * @throws ToolError PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, NO_WORK_TREE, LOCKED
 */
export async function gitMv(repository: Repository, input: GitMvInput, context: RequestContext): Promise<MovedFile | Preview> {
  requireWorkTree(repository);
  const source = pathInside(repository, input.source);
  const destination = pathInside(repository, input.destination);
  await requireMovable(repository, source);
  await requirePlace(repository, destination);
  return whenConfirmed(
    { repository, input, context },
    () => lossOf(repository, source, destination),
    async (loss) => {
      const { oid: head } = await headOf(repository);
      const kept =
        loss === undefined
          ? undefined
          : await keepBefore(repository, { head, message: 'before a file was replaced', files: [destination] });
      await requireMovable(repository, source);
      await requirePlace(repository, destination);
      const directory = directoriesAbove(destination).at(-1);
      if (directory !== undefined) await mkdir(onDisk(repository, directory), { recursive: true });
      await repository.write(['mv', ...(loss === undefined ? [] : ['--force']), '--', source, destination]);
      return { source, destination, ...(kept !== undefined && { recover_with: recovering(kept, [destination]) }) };
    },
  );
}

async function lossOf(repository: Repository, source: string, destination: string): Promise<Loss | undefined> {
  const factsOf = (name: string) => lstat(onDisk(repository, name)).catch(() => undefined);
  const [moved, there] = await Promise.all([factsOf(source), factsOf(destination)]);
  // On a file system that does not tell cases apart, a file may be in its own way.
  if (there === undefined || (moved?.ino === there.ino && moved.dev === there.dev)) return undefined;
  if (there.isDirectory())
    throw new ToolError('INVALID_PATH', `there is a directory ${quoted(destination)} already`, { hint: 'name the file in it' });
  return {
    question: `Replace ${destination} by ${source}?`,
    lost: [destination],
    recoverWith: `${recovering('KEPT', [destination])}, where KEPT is the commit that the result will name`,
    seen: { destination: await stampsOf(repository, [destination]) },
  };
}

async function requireMovable(repository: Repository, source: string): Promise<void> {
  const tracked = await trackedFiles(repository, [source]);
  if (source === '.') throw new ToolError('INVALID_PATH', 'the top of the repository is not moved');
  if (tracked.some(({ isSubmodule }) => isSubmodule))
    throw new ToolError('INVALID_PATH', `${quoted(source)} has a submodule, which this does not move`);
  await requireNoneBehindLinks(
    repository,
    tracked.map((file) => file.path),
  );
}

/** The place has to be in this work tree: behind no link, in no repository of its own, in no git directory. */
async function requirePlace(repository: Repository, destination: string): Promise<void> {
  const parts = bytesOfPath(destination).toString('latin1').split('/');
  if (destination === '.' || parts.some((part) => part.toLowerCase() === '.git'))
    throw new ToolError('INVALID_PATH', `${quoted(destination)} is no place for a file`);
  for (const directory of directoriesAbove(destination)) {
    const place = onDisk(repository, directory);
    const facts = await lstat(place).catch(() => undefined);
    if (facts === undefined) return;
    const isOwn = facts.isDirectory() && (await isInPlace(repository, directory));
    if (!isOwn || (await lstat(Buffer.concat([place, Buffer.from('/.git')])).catch(() => undefined)) !== undefined)
      throw new ToolError('INVALID_PATH', `${quoted(destination)} is behind a link or a file, or in another repository`);
  }
}
