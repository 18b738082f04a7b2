import { constants } from 'node:fs';
import { mkdir, open, rmdir } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

import { parseWorktrees, type ListedWorktree } from '../parse/worktrees.ts';
import type { CommandOptions, Repository } from '../repository.ts';

/** Lists all work trees of the repository, the main work tree first. */
export async function readWorktrees(repository: Repository): Promise<readonly ListedWorktree[]> {
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
  const all = path.join(repository.layout.commonDir, 'worktrees');
  // In the pinned common directory, `worktrees` is a link. Git cannot create the target of a link, so the target is created here.
  await mkdir(all, { recursive: true });
  try {
    await repository.write(['worktree', 'add', '--quiet', '--no-guess-remote', ...flags, directory, commit], options);
    await correctGitFile(repository, directory);
  } finally {
    await removeIfEmpty(all);
  }
}

/** Removes a work tree and its directory. Without `force`, git fails if the work tree is not clean. */
export async function removeWorktree(repository: Repository, directory: string, force: boolean): Promise<void> {
  await repository.write(['worktree', 'remove', ...(force ? ['--force'] : []), directory]);
  await removeIfEmpty(path.join(repository.layout.commonDir, 'worktrees'));
}

/** Replaces the path of the pinned copy in the `.git` file with the real common directory. */
async function correctGitFile({ layout, effectiveCommonDir }: Repository, directory: string): Promise<void> {
  if (effectiveCommonDir === layout.commonDir) return;
  await using file = await open(path.join(directory, '.git'), constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  const written = await file.readFile('utf8');
  await file.truncate(0);
  await file.write(
    written.replace(effectiveCommonDir, () => layout.commonDir),
    0,
  );
}

function removeIfEmpty(directory: string): Promise<void> {
  return rmdir(directory).catch(() => undefined);
}

/** Returns a path as clients see it, or `undefined` if the path is outside the roots. */
export async function findShownPath(roots: Roots, path: string): Promise<string | undefined> {
  try {
    return (await roots.resolveExisting(path)).shown;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    // If the directory was removed, the path as git recorded it is returned.
    return error.code === 'NOT_FOUND' ? path : undefined;
  }
}
