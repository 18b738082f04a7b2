import { constants } from 'node:fs';
import { mkdir, open, rmdir } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

import { parseWorktrees, type ListedWorktree } from './parse/worktrees.ts';
import type { CommandOptions, Repository } from './repository.ts';

/** All work trees of the repository, the main one first. */
export async function worktreesOf(repository: Repository): Promise<readonly ListedWorktree[]> {
  return parseWorktrees((await repository.administer(['worktree', 'list', '--porcelain', '-z'])).stdout);
}

/**
 * Creates a work tree in an empty directory.
 *
 * @param directory its real path
 */
export async function addWorktree(
  repository: Repository,
  { directory, flags, commit }: { readonly directory: string; readonly flags: readonly string[]; readonly commit: string },
  options: CommandOptions,
): Promise<void> {
  const all = path.join(repository.ground.commonDir, 'worktrees');
  // In the pinned common directory, `worktrees` is a link, and git cannot create the target of a link.
  await mkdir(all, { recursive: true });
  try {
    await repository.write(['worktree', 'add', '--quiet', '--no-guess-remote', ...flags, directory, commit], options);
    await nameRealDirectory(repository, directory);
  } finally {
    await removeEmpty(all);
  }
}

/** Removes a work tree and its directory. Without `force`, git fails if the work tree is not clean. */
export async function removeWorktree(repository: Repository, directory: string, force: boolean): Promise<void> {
  await repository.write(['worktree', 'remove', ...(force ? ['--force'] : []), directory]);
  await removeEmpty(path.join(repository.ground.commonDir, 'worktrees'));
}

/** Replaces the path of the copy in the `.git` file, because git ran with the pinned configuration. */
async function nameRealDirectory({ ground, usedCommonDir }: Repository, directory: string): Promise<void> {
  if (usedCommonDir === ground.commonDir) return;
  await using file = await open(path.join(directory, '.git'), constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  const written = await file.readFile('utf8');
  await file.truncate(0);
  await file.write(
    written.replace(usedCommonDir, () => ground.commonDir),
    0,
  );
}

function removeEmpty(directory: string): Promise<void> {
  return rmdir(directory).catch(() => undefined);
}

/** A path as clients see it; `undefined` if it is not inside the roots. */
export async function shownInside(roots: Roots, path: string): Promise<string | undefined> {
  try {
    return (await roots.existing(path)).shown;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    // What is not there any more would have been inside.
    return error.code === 'NOT_FOUND' ? path : undefined;
  }
}
