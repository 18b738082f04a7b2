import { existsSync } from 'node:fs';
import path from 'node:path';

import { Flag, Integer, ListOf, ObjectOf, OneOf, Result, Text, TextList, escapeInvisible } from '@org/mcp-decorators';

import { formatOperation, readOperation } from '../../repository/integrate/operation.ts';
import { parseStatus, type Status, type StatusEntry } from '../../repository/parse/status.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePaths, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { readSubmoduleCommit } from '../../repository/work-tree/submodules.ts';
import { shortOid } from '../../text/format.ts';
import { ListInput, listPage } from '../inputs/list-page.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

/** Note about submodules. To look for changed files, git would run inside a submodule, whose configuration was not checked. */
const SUBMODULES =
  'Changed files inside submodules are not listed; to list them, pass the directory of the submodule as repo_path.';

const UNTRACKED = ['no', 'normal', 'all'] as const;

export class GitStatusInput extends ListInput {
  @OneOf(UNTRACKED, 'normal (default): one entry per untracked directory') untracked: (typeof UNTRACKED)[number] = 'normal';
  @TextList('Files or directories', { optional: true }) paths?: string[];
  @Integer('Maximum number of entries', { optional: true, min: 1 }) limit?: number;
}

export class ChangedFile {
  @Text() path!: string;
  @Text({ optional: true }) original_path?: string;
  @Text('Change in the index', { optional: true }) staged?: string;
  @Text('Change in the work tree', { optional: true }) unstaged?: string;
  @Flag({ optional: true }) untracked?: boolean;
  @Flag({ optional: true }) conflict?: boolean;
}

export class StatusCounts {
  @Integer() staged!: number;
  @Integer() unstaged!: number;
  @Integer() untracked!: number;
  @Integer() conflicts!: number;
}

/** The differences between HEAD, the index and the work tree. */
export class RepositoryStatus {
  @Text('Repository name in URIs') repository!: string;
  @Text('Current branch, if any', { optional: true }) branch?: string;
  @Text('Commit of HEAD, if any', { optional: true }) oid?: string;
  @Text({ optional: true }) upstream?: string;
  @Integer({ optional: true }) ahead?: number;
  @Integer({ optional: true }) behind?: number;
  @Text('In progress', { optional: true }) operation?: string;
  @ListOf(() => ChangedFile) entries!: ChangedFile[];
  @ObjectOf(() => StatusCounts, 'Entry counts by kind') counts!: StatusCounts;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) next_cursor?: string;
  @Text({ optional: true }) note?: string;
}

/**
 * Reads the status with one git process; returns at most `maxEntries` entries and `maxBytes` bytes.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, NO_WORK_TREE
 */
export async function gitStatus(repository: Repository, input: GitStatusInput): Promise<Result> {
  return formatStatus(await collectStatus(repository, input));
}

export async function collectStatus(
  repository: Repository,
  { untracked = 'normal', paths = [], limit, cursor }: Partial<Omit<GitStatusInput, 'repo_path'>> = {},
): Promise<RepositoryStatus> {
  requireWorkTree(repository);
  const command = ['status', '--porcelain=v2', '-z', '--branch', `--untracked-files=${untracked}`, '--ignore-submodules=dirty'];
  const named = ['--', ...resolvePaths(repository, paths)];
  const [{ stdout, isTruncated }, operation] = await Promise.all([
    repository.read([...command, ...named]),
    readOperation(repository),
  ]);
  const { entries: listed, ...head } = parseStatus(stdout);
  const entries = await checkSubmodules(repository, listed);
  const { maxEntries, maxBytes } = repository.limits;
  const { items, ...next } = listPage(entries, { cursor, most: Math.min(limit ?? maxEntries, maxEntries), maxBytes });
  return {
    repository: repository.id,
    ...toHead(head),
    ...(operation !== undefined && { operation: formatOperation(operation) }),
    entries: items,
    counts: countEntries(entries),
    truncated: isTruncated || next.next_cursor !== undefined,
    ...next,
    ...(existsSync(path.join(repository.layout.top, '.gitmodules')) && { note: SUBMODULES }),
  };
}

/** Removes changes of submodules whose commit git read outside the roots: git follows a submodule's `.git` file to any directory. */
async function checkSubmodules(repository: Repository, entries: readonly StatusEntry[]): Promise<readonly StatusEntry[]> {
  const checked: StatusEntry[] = [];
  for (const { submodule, unstaged, ...entry } of entries) {
    const isChanged = submodule === undefined || (await hasOtherCommit(repository, entry.path, submodule));
    if (isChanged) checked.push({ ...entry, ...(unstaged !== undefined && { unstaged }) });
    else if (entry.staged !== undefined) checked.push(entry);
  }
  return checked;
}

async function hasOtherCommit(repository: Repository, directory: string, oid: string): Promise<boolean> {
  const commit = await readSubmoduleCommit(repository, directory);
  return commit !== undefined && commit !== oid;
}

type Head = Pick<RepositoryStatus, 'branch' | 'oid' | 'upstream' | 'ahead' | 'behind'>;

function toHead({ branch, oid, upstream, ahead, behind }: Omit<Status, 'entries'>): Head {
  return {
    ...(branch !== undefined && { branch }),
    ...(oid !== undefined && { oid }),
    ...(upstream !== undefined && { upstream }),
    ...(ahead !== undefined && { ahead }),
    ...(behind !== undefined && { behind }),
  };
}

function countEntries(entries: readonly StatusEntry[]): StatusCounts {
  const count = (has: (entry: StatusEntry) => boolean): number => entries.filter(has).length;
  return {
    staged: count(({ staged }) => staged !== undefined),
    unstaged: count(({ unstaged }) => unstaged !== undefined),
    untracked: count((entry) => entry.untracked === true),
    conflicts: count(({ conflict }) => conflict === true),
  };
}

function formatStatus(status: RepositoryStatus): Result {
  const { upstream, ahead = 0, behind = 0, operation, entries, truncated, note } = status;
  const lines = [
    formatHead(status),
    ...(upstream === undefined ? [] : [`Upstream ${escapeInvisible(upstream)}: ${ahead} ahead, ${behind} behind`]),
    ...(operation === undefined ? [] : [`In progress: ${operation}`]),
    ...entries.map(formatChangedFile),
    ...(entries.length === 0 ? ['No changes'] : []),
    ...(truncated ? [formatCounts(status)] : []),
    ...(note === undefined ? [] : [`[${note}]`]),
  ];
  return Result.of(status, lines.join('\n'));
}

function formatHead({ branch, oid }: RepositoryStatus): string {
  const place = branch === undefined ? `no branch, at ${shortOid(oid ?? '')}` : `branch ${escapeInvisible(branch)}`;
  return `On ${place}${oid === undefined ? ', without commits' : ''}`;
}

function formatCounts({ counts, next_cursor }: RepositoryStatus): string {
  const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  return `… not all entries are shown; the totals are ${kinds.join(', ')}${next_cursor === undefined ? '' : `; continue with cursor ${next_cursor}`}`;
}

function formatChangedFile({ path, original_path, staged, unstaged, untracked, conflict }: ChangedFile): string {
  const name = formatPath(path) + (original_path === undefined ? '' : ` (was ${formatPath(original_path)})`);
  if (untracked === true) return `untracked: ${name}`;
  if (conflict === true) return `conflict: ${name}`;
  const parts = [
    ...(staged === undefined ? [] : [`staged ${staged}`]),
    ...(unstaged === undefined ? [] : [`unstaged ${unstaged}`]),
  ];
  return `${parts.join(', ')}: ${name}`;
}
