import { ToolError } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

import { parseWorktrees, type ListedWorktree } from './parse/worktrees.ts';
import type { Repository } from './repository.ts';

/** All work trees of the repository, the main one first. */
export async function worktreesOf(repository: Repository): Promise<readonly ListedWorktree[]> {
  return parseWorktrees((await repository.read(['worktree', 'list', '--porcelain', '-z'])).stdout);
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
