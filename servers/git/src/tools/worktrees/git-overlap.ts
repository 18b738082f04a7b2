import { Flag, Integer, ListOf, Result, Text, TextList, escapeInvisible, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { findOverlaps, type FoundOverlap, type OtherWork } from '../../repository/overlap/find-overlaps.ts';
import { listUnmergedBranches, readLooseChanges, type OtherBranch } from '../../repository/overlap/other-work.ts';
import { readWorktrees } from '../../repository/refs/worktrees.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { CallScope, Repositories } from '../../repository/repositories.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePaths, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

export class GitOverlapInput extends RepositoryInput {
  @TextList('Files or directories; default: uncommitted files, and files that the current branch changed', {
    optional: true,
    maxItems: 1000,
  })
  paths?: string[];

  @Integer('Maximum number of branches to examine, newest first (default 50)', { min: 1, max: 500 }) max_branches = 50;
}

export class OverlappingFile {
  @Text() path!: string;
  @Integer('Absent for a binary file', { optional: true }) added?: number;
  @Integer('Absent for a binary file', { optional: true }) removed?: number;
  @Flag('Includes uncommitted changes', { optional: true }) uncommitted?: boolean;
}

/** A work tree or branch that changes some of the compared files. */
export class OverlappingWork {
  @Text('Absent for a detached HEAD', { optional: true }) branch?: string;
  @TextList('Other branches at the same commit', { optional: true }) also?: string[];
  @Text('Directory of the work tree; absent for a branch without one', { optional: true }) worktree?: string;
  @Text('Commit of the branch or work tree') oid!: string;
  @ListOf(() => OverlappingFile, 'At most 50 files') files!: OverlappingFile[];
  @Integer('Number of all overlapping files') total!: number;
  @TextList('Files in which a merge would conflict, at most 50') conflicts!: string[];
  @Integer('Number of all files in which a merge would conflict') conflict_count!: number;
}

export class OverlapReport {
  @ListOf(() => OverlappingWork, 'Work trees, then branches, the newest branch first') overlaps!: OverlappingWork[];
  @Integer('Number of other work trees and branches that were examined') examined!: number;
  @Integer('Number of work trees whose uncommitted changes cannot be read: outside the allowed directories, or unusable')
  unexamined_worktrees!: number;
  @Flag('More branches exist, or more overlaps were found') truncated!: boolean;
}

/** The context in which other work trees are opened and verified as repositories. */
interface OverlapCall {
  readonly repositories: Repositories;
  readonly scope: CallScope;
  readonly context: RequestContext;
}

/**
 * Lists the other work trees and branches that changed the same files as this work tree since the merge base. If paths are given,
 * lists those that changed files at or below the paths. Tries a merge with each of them. Nothing is written to the repository.
 * Merged branches and unrelated histories are omitted.
 *
 * Reports the number of examined work trees and branches as progress.
 *
 * @throws ToolError NO_WORK_TREE, EMPTY_REPO, PATH_OUTSIDE_ROOTS, INVALID_PATH
 */
export async function gitOverlap(repository: Repository, input: GitOverlapInput, call: OverlapCall): Promise<Result> {
  requireWorkTree(repository);
  const paths = input.paths === undefined ? undefined : resolvePaths(repository, input.paths);
  const head = await resolveCommit(repository, 'HEAD');
  const { works: trees, unexamined } = await openWorktrees(repository, call);
  const { branches, truncated } = await listUnmergedBranches(repository, input.max_branches);
  const works = [...trees, ...omitCheckedOut(branches, trees)];
  const mine = { head, ...(await readLooseChanges(repository)) };
  const found = await findOverlaps(repository, mine, {
    works,
    paths,
    onProgress: (done) => call.context.progress(done, works.length),
  });
  const { maxEntries, maxBytes } = repository.limits;
  const overlaps = takeFittingItems(found.map(toOverlappingWork).slice(0, maxEntries), maxBytes);
  return formatOverlaps({
    overlaps,
    examined: works.length,
    unexamined_worktrees: unexamined,
    truncated: truncated || overlaps.length < found.length,
  });
}

interface OpenedWorktrees {
  readonly works: readonly OtherWork[];
  readonly unexamined: number;
}

/** Opens the other work trees. A work tree that cannot be opened is represented by its commit only. */
async function openWorktrees(repository: Repository, call: OverlapCall): Promise<OpenedWorktrees> {
  const works: OtherWork[] = [];
  for (const { path, oid, branch, bare, prunable } of await readWorktrees(repository)) {
    if (oid === undefined || bare || prunable !== undefined || (await isOwn(repository, path, call))) continue;
    const tree = await openWorktree(repository, path, call);
    works.push({ oid, also: [], ...(branch !== undefined && { branch }), ...(tree && { tree }) });
  }
  return { works, unexamined: works.filter(({ tree }) => tree === undefined).length };
}

async function isOwn({ layout }: Repository, path: string, { scope }: OverlapCall): Promise<boolean> {
  const found = await scope.roots.resolveExisting(path).catch(() => undefined);
  return found?.real === layout.top;
}

async function openWorktree(
  { layout }: Repository,
  path: string,
  { repositories, scope }: OverlapCall,
): Promise<Repository | undefined> {
  const opened = await repositories.open(path, scope).catch(() => undefined);
  scope.signal.throwIfAborted();
  // The directory of a work tree may contain another repository by now.
  return opened?.layout.commonDir === layout.commonDir ? opened : undefined;
}

/** Omits branches that are checked out in an examined work tree, because their commits are compared there. */
function omitCheckedOut(branches: readonly OtherBranch[], trees: readonly OtherWork[]): readonly OtherBranch[] {
  const names = new Set(trees.map(({ branch }) => branch));
  return branches.flatMap(({ branch, also, oid }) => {
    const [first, ...others] = [branch, ...also].filter((name) => !names.has(name));
    return first === undefined ? [] : [{ branch: first, also: others, oid }];
  });
}

const MAX_FILES = 50;

function toOverlappingWork({ work, files, total, conflicts }: FoundOverlap): OverlappingWork {
  const { branch, also, tree, oid } = work;
  return {
    ...(branch !== undefined && { branch }),
    ...(also.length > 0 && { also: [...also] }),
    ...(tree !== undefined && { worktree: tree.shown }),
    oid,
    files: files.slice(0, MAX_FILES),
    total,
    conflicts: conflicts.slice(0, MAX_FILES),
    conflict_count: conflicts.length,
  };
}

function formatOverlaps(report: OverlapReport): Result {
  const { overlaps, examined, unexamined_worktrees: unexamined, truncated } = report;
  const head =
    overlaps.length === 0 ? 'No other work tree or branch changes these files' : formatCount(overlaps.length, 'overlap');
  const lines = [
    `${head} (${examined} examined)`,
    ...overlaps.flatMap(formatWork),
    ...(unexamined === 0 ? [] : [`Uncommitted changes of ${formatCount(unexamined, 'work tree')} could not be read`]),
    ...(truncated ? ['… more branches or overlaps exist: narrow paths, or raise max_branches'] : []),
  ];
  return Result.of(report, lines.join('\n'));
}

function formatWork({
  branch,
  also = [],
  worktree,
  oid,
  files,
  total,
  conflicts,
  conflict_count,
}: OverlappingWork): readonly string[] {
  const place = worktree === undefined ? '' : ` in ${escapeInvisible(worktree)}`;
  const others = also.length === 0 ? '' : `, also ${also.map(escapeInvisible).join(', ')}`;
  const verdict = conflict_count === 0 ? 'merges without conflicts' : `would conflict in ${conflicts.map(formatPath).join(', ')}`;
  const more = conflict_count > conflicts.length ? ` and ${conflict_count - conflicts.length} more` : '';
  return [
    `${branch === undefined ? 'detached' : escapeInvisible(branch)} at ${shortOid(oid)}${others}${place}: ${verdict}${more}`,
    ...files.map(formatFile),
    ...(total > files.length ? [`  … ${formatCount(total - files.length, 'more file')}`] : []),
  ];
}

function formatFile({ path, added, removed, uncommitted }: OverlappingFile): string {
  const counts = added === undefined ? 'binary' : `+${added} -${removed ?? 0}`;
  return `  ${formatPath(path)} ${counts}${uncommitted === true ? ', uncommitted' : ''}`;
}
