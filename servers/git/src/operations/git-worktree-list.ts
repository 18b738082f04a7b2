import { Flag, Integer, ListOf, Text } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

import type { ListedWorktree } from '../repository/parse/worktrees.ts';
import type { Repository } from '../repository/repository.ts';
import { shownInside, worktreesOf } from '../repository/worktrees.ts';
import { ListInput, listPage } from './list-page.ts';

export class GitWorktreeListInput extends ListInput {}

export class Worktree {
  @Text('Absent of one outside the allowed directories', { optional: true }) path?: string;
  @Text({ optional: true }) oid?: string;
  @Text('Absent on a detached HEAD', { optional: true }) branch?: string;
  @Flag('The one that the repository began with') main!: boolean;
  @Flag({ optional: true }) bare?: boolean;
  @Text('Why it is locked; may be empty', { optional: true }) locked?: string;
  @Text('Why git_worktree_prune would forget it', { optional: true }) prunable?: string;
}

export class WorktreeList {
  @ListOf(() => Worktree) worktrees!: Worktree[];
  @Integer() total!: number;
  @Text({ optional: true }) next_cursor?: string;
}

/** The work trees of a repository, at most `maxEntries` and `maxBytes` of them. @throws ToolError INVALID_ARGUMENTS */
export async function gitWorktreeList(repository: Repository, { cursor }: ListInput, roots: Roots): Promise<WorktreeList> {
  const all: Worktree[] = [];
  for (const [position, each] of (await worktreesOf(repository)).entries())
    all.push(worktreeOf(each, await shownInside(roots, each.path), position === 0));
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: worktrees, ...next } = listPage(all, { cursor, most, maxBytes });
  return { worktrees, total: all.length, ...next };
}

function worktreeOf({ oid, branch, bare, locked, prunable }: ListedWorktree, shown: string | undefined, main: boolean): Worktree {
  return {
    ...(shown !== undefined && { path: shown }),
    ...(oid !== undefined && { oid }),
    ...(branch !== undefined && { branch }),
    main,
    ...(bare && { bare }),
    ...(locked !== undefined && { locked }),
    // git's reason may hold a path that is not inside.
    ...(prunable !== undefined && { prunable: shown === undefined ? 'its directory is not there' : prunable }),
  };
}
