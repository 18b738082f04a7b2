import { Flag, Integer, ListOf, ObjectOf, OneOf, Text, TextList } from '@org/mcp-decorators';

import { operationIn } from '../repository/operation.ts';
import { CHANGES, parseStatus, type Change, type Status, type StatusEntry } from '../repository/parse/status.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { submoduleCommit } from '../repository/submodule-commit.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { ListInput, listPage } from './list-page.ts';

const UNTRACKED = ['no', 'normal', 'all'] as const;

export class GitStatusInput extends ListInput {
  @OneOf(UNTRACKED, 'normal (default): an untracked directory is one entry') untracked: (typeof UNTRACKED)[number] = 'normal';
  @TextList('Files or directories', { optional: true }) paths?: string[];
  @Integer({ optional: true, min: 1 }) limit?: number;
}

export class ChangedFile {
  @Text() path!: string;
  @Text({ optional: true }) original_path?: string;
  @OneOf(CHANGES, 'In the index', { optional: true }) staged?: Change;
  @OneOf(CHANGES, 'In the work tree', { optional: true }) unstaged?: Change;
  @Flag({ optional: true }) untracked?: boolean;
  @Flag({ optional: true }) conflict?: boolean;
}

export class StatusCounts {
  @Integer() staged!: number;
  @Integer() unstaged!: number;
  @Integer() untracked!: number;
  @Integer() conflicts!: number;
}

/** What differs between HEAD, the index and the work tree. */
export class RepositoryStatus {
  @Text('Name of the repository in resource URIs') repository!: string;
  @Text('Absent on a detached HEAD', { optional: true }) branch?: string;
  @Text('Commit of HEAD; absent before the first', { optional: true }) oid?: string;
  @Text({ optional: true }) upstream?: string;
  @Integer('Commits that the upstream has not', { optional: true }) ahead?: number;
  @Integer('Commits that only the upstream has', { optional: true }) behind?: number;
  @Text('Unfinished: merge, rebase, cherry-pick, revert, am or bisect', { optional: true }) operation?: string;
  @ListOf(() => ChangedFile) entries!: ChangedFile[];
  @ObjectOf(() => StatusCounts, 'Of all entries, listed or not') counts!: StatusCounts;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) next_cursor?: string;
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
