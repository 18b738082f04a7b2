import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';

import { operationIn } from '../repository/operation.ts';
import { parseStatus, type Change, type Status, type StatusEntry } from '../repository/parse/status.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { submoduleCommit } from '../repository/submodule-commit.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { ListInput, listPage } from './list-page.ts';

const UNTRACKED = ['no', 'normal', 'all'] as const;

export class GitStatusInput extends ListInput {
  @Field('normal (default): an untracked directory is one entry')
  @IsIn([...UNTRACKED])
  untracked: (typeof UNTRACKED)[number] = 'normal';

  @Field('Files or directories')
  @IsOptional()
  @IsString({ each: true })
  paths?: string[];

  @IsOptional()
  @IsInt()
  @Min(1)
  limit?: number;
}

export class ChangedFile {
  @IsString()
  path!: string;

  @IsOptional()
  @IsString()
  original_path?: string;

  @Field('In the index: added, modified, deleted, renamed, copied or type changed')
  @IsOptional()
  @IsString()
  staged?: Change;

  @Field('In the work tree')
  @IsOptional()
  @IsString()
  unstaged?: Change;

  @IsOptional()
  @IsBoolean()
  untracked?: boolean;

  @IsOptional()
  @IsBoolean()
  conflict?: boolean;
}

export class StatusCounts {
  @IsInt()
  staged!: number;

  @IsInt()
  unstaged!: number;

  @IsInt()
  untracked!: number;

  @IsInt()
  conflicts!: number;
}

/** What differs between HEAD, the index and the work tree. */
export class RepositoryStatus {
  @Field('Name of the repository in resource URIs')
  @IsString()
  repository!: string;

  @Field('Absent on a detached HEAD')
  @IsOptional()
  @IsString()
  branch?: string;

  @Field('Commit of HEAD; absent before the first')
  @IsOptional()
  @IsString()
  oid?: string;

  @IsOptional()
  @IsString()
  upstream?: string;

  @Field('Commits that the upstream has not')
  @IsOptional()
  @IsInt()
  ahead?: number;

  @Field('Commits that only the upstream has')
  @IsOptional()
  @IsInt()
  behind?: number;

  @Field('Unfinished: merge, rebase, cherry-pick, revert, am or bisect')
  @IsOptional()
  @IsString()
  operation?: string;

  @Field({ type: () => ChangedFile })
  @ValidateNested({ each: true })
  entries!: ChangedFile[];

  @Field('Of all entries, listed or not', { type: () => StatusCounts })
  @ValidateNested()
  counts!: StatusCounts;

  @IsBoolean()
  truncated!: boolean;

  @IsOptional()
  @IsString()
  next_cursor?: string;
}

/**
 * Status in one process, at most `maxEntries` and `maxBytes` of it.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, NO_WORK_TREE
 */
export async function gitStatus(
  repository: Repository,
  { untracked = 'normal', paths = [], limit, cursor }: Partial<Omit<GitStatusInput, 'repo_path'>> = {},
): Promise<RepositoryStatus> {
  requireWorkTree(repository);
  const command = ['status', '--porcelain=v2', '-z', '--branch', `--untracked-files=${untracked}`, '--ignore-submodules=dirty'];
  const named = ['--', ...pathsInside(repository, paths)];
  const [{ stdout, truncated }, operation] = await Promise.all([
    repository.read([...command, ...named]),
    operationIn(repository),
  ]);
  const { entries: listed, ...head } = parseStatus(stdout);
  const entries = await withCheckedSubmodules(repository, listed);
  const { maxEntries, maxBytes } = repository.limits;
  const { items, ...next } = listPage(entries, { cursor, most: Math.min(limit ?? maxEntries, maxEntries), maxBytes });
  return {
    repository: repository.id,
    ...headOf(head),
    ...(operation !== undefined && { operation: operation.kind }),
    entries: items,
    counts: countsOf(entries),
    truncated: truncated || next.next_cursor !== undefined,
    ...next,
  };
}

/** Git follows the `.git` file of a submodule to any directory. Only commits that were read inside the roots are reported. */
async function withCheckedSubmodules(repository: Repository, entries: readonly StatusEntry[]): Promise<readonly StatusEntry[]> {
  const checked: StatusEntry[] = [];
  for (const { submodule, unstaged, ...entry } of entries) {
    const isChanged = submodule === undefined || (await hasOtherCommit(repository, entry.path, submodule));
    if (isChanged) checked.push({ ...entry, ...(unstaged !== undefined && { unstaged }) });
    else if (entry.staged !== undefined) checked.push(entry);
  }
  return checked;
}

async function hasOtherCommit(repository: Repository, directory: string, oid: string): Promise<boolean> {
  const commit = await submoduleCommit(repository, directory);
  return commit !== undefined && commit !== oid;
}

type Head = Pick<RepositoryStatus, 'branch' | 'oid' | 'upstream' | 'ahead' | 'behind'>;

function headOf({ branch, oid, upstream, ahead, behind }: Omit<Status, 'entries'>): Head {
  return {
    ...(branch !== undefined && { branch }),
    ...(oid !== undefined && { oid }),
    ...(upstream !== undefined && { upstream }),
    ...(ahead !== undefined && { ahead }),
    ...(behind !== undefined && { behind }),
  };
}

function countsOf(entries: readonly StatusEntry[]): StatusCounts {
  const count = (has: (entry: StatusEntry) => boolean): number => entries.filter(has).length;
  return {
    staged: count(({ staged }) => staged !== undefined),
    unstaged: count(({ unstaged }) => unstaged !== undefined),
    untracked: count((entry) => entry.untracked === true),
    conflicts: count(({ conflict }) => conflict === true),
  };
}
