import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { Roots } from '@org/mcp-roots';

import type { ListedWorktree } from '../repository/parse/worktrees.ts';
import type { Repository } from '../repository/repository.ts';
import { shownInside, worktreesOf } from '../repository/worktrees.ts';
import { ListInput, listPage } from './list-page.ts';

export class GitWorktreeListInput extends ListInput {}

export class Worktree {
  @Field('Absent of one outside the allowed directories')
  @IsOptional()
  @IsString()
  path?: string;

  @IsOptional()
  @IsString()
  oid?: string;

  @Field('Absent on a detached HEAD')
  @IsOptional()
  @IsString()
  branch?: string;

  @Field('The one that the repository began with')
  @IsBoolean()
  main!: boolean;

  @IsOptional()
  @IsBoolean()
  bare?: boolean;

  @Field('Why it is locked; may be empty')
  @IsOptional()
  @IsString()
  locked?: string;

  @Field('Why git_worktree_prune would forget it')
  @IsOptional()
  @IsString()
  prunable?: string;
}

export class WorktreeList {
  @Field({ type: () => Worktree })
  @ValidateNested({ each: true })
  worktrees!: Worktree[];

  @IsInt()
  total!: number;

  @IsOptional()
  @IsString()
  next_cursor?: string;
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
