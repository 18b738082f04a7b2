import { Flag, Integer, ListOf, ObjectOf, Result, Text, escapeInvisible } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { readDiff } from '../../repository/content/read-diff.ts';
import { LOG_FORMAT, parseLog } from '../../repository/parse/log.ts';
import { findMergeBases, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { cutSubject } from '../../text/cut.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { CommitSize } from './git-log.ts';

export class GitCompareInput extends RepositoryInput {
  @Text('Branch, tag or commit') base!: string;
  @Text('Branch, tag or commit; default: HEAD') head = 'HEAD';
  @Integer('Maximum number of commits to list for each side', { min: 0, max: 1000 }) limit = 20;
}

export class ComparedCommit {
  @Text() oid!: string;
  @Text() author!: string;
  @Text('ISO 8601') date!: string;
  @Text('First line of the message, cut to 1,000 characters') subject!: string;
}

/** How two commits differ. */
export class Comparison {
  @Text() base_oid!: string;
  @Text() head_oid!: string;
  @Text('Best common ancestor; absent if the histories are unrelated', { optional: true }) merge_base?: string;
  @Integer('Number of commits only in head') ahead!: number;
  @Integer('Number of commits only in base') behind!: number;
  @ListOf(() => ComparedCommit, 'Newest first') ahead_commits!: ComparedCommit[];
  @ListOf(() => ComparedCommit, 'Newest first') behind_commits!: ComparedCommit[];
  @ObjectOf(() => CommitSize, 'Size of the changes in head since the merge base', { optional: true }) changed?: CommitSize;
  @Flag('Not all commits are listed') truncated!: boolean;
}

/**
 * Counts and lists the commits that only one of two commits contains.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function gitCompare(repository: Repository, { base, head, limit }: GitCompareInput): Promise<Result> {
  const [base_oid, head_oid] = await Promise.all([resolveCommit(repository, base), resolveCommit(repository, head)]);
  const [counts, ancestors, ahead_commits, behind_commits] = await Promise.all([
    countSides(repository, base_oid, head_oid),
    findMergeBases(repository, base_oid, head_oid),
    readCommits(repository, [head_oid, `^${base_oid}`], limit),
    readCommits(repository, [base_oid, `^${head_oid}`], limit),
  ]);
  const [merge_base] = ancestors;
  const changed = merge_base === undefined ? undefined : await countChanges(repository, merge_base, head_oid);
  return formatComparison({
    base_oid,
    head_oid,
    ...(merge_base !== undefined && { merge_base }),
    ...counts,
    ahead_commits,
    behind_commits,
    ...(changed && { changed }),
    truncated: counts.ahead > ahead_commits.length || counts.behind > behind_commits.length,
  });
}

async function countSides(repository: Repository, base: string, head: string): Promise<Pick<Comparison, 'ahead' | 'behind'>> {
  const { stdout } = await repository.read(['rev-list', '--count', '--left-right', `${base}...${head}`]);
  const [behind = 0, ahead = 0] = stdout.toString('utf8').trim().split('\t').map(Number);
  return { ahead, behind };
}

async function readCommits(repository: Repository, walk: readonly string[], limit: number): Promise<ComparedCommit[]> {
  const flags = ['-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${LOG_FORMAT}`, `--max-count=${limit}`];
  const { stdout } = await repository.read(['log', ...flags, ...walk, '--'], { maxBytes: repository.limits.maxBytes });
  const commits = parseLog(stdout).map(({ oid, author, date, message }) => ({
    oid,
    author,
    date,
    subject: cutSubject(message.split('\n', 1)[0] ?? ''),
  }));
  // The commits of each side get half of the byte limit.
  return takeFittingItems(commits, repository.limits.maxBytes / 2);
}

async function countChanges(repository: Repository, from: string, to: string): Promise<CommitSize> {
  const { totals } = await readDiff(repository, ['diff', from, to], {
    mode: 'stat',
    contextLines: 0,
    ignoreWhitespace: false,
    excludeGenerated: false,
    maxBytes: 0,
    paths: [],
  });
  return { ...totals };
}

function formatComparison(comparison: Comparison): Result {
  const { ahead, behind, base_oid, head_oid, merge_base, ahead_commits, behind_commits, changed } = comparison;
  const [base, head] = [shortOid(base_oid), shortOid(head_oid)];
  const lines = [
    `${ahead} ahead, ${behind} behind`,
    merge_base === undefined ? 'The histories are unrelated' : `Merge base ${merge_base}`,
    ...(changed === undefined
      ? []
      : [`Changed in head since the merge base: ${formatCount(changed.files, 'file')}, +${changed.added} -${changed.removed}`]),
    ...formatSide({ title: 'Only in head:', range: `${base}..${head}`, total: ahead }, ahead_commits),
    ...formatSide({ title: 'Only in base:', range: `${head}..${base}`, total: behind }, behind_commits),
  ];
  return Result.of(comparison, lines.join('\n'));
}

interface Side {
  readonly title: string;
  /** Revision range that selects the commits of this side. */
  readonly range: string;
  readonly total: number;
}

function formatSide({ title, range, total }: Side, commits: readonly ComparedCommit[]): readonly string[] {
  if (total === 0) return [];
  const lines = commits.map(
    ({ oid, author, date, subject }) =>
      `${shortOid(oid)} ${date.slice(0, 10)} ${escapeInvisible(author)}: ${escapeInvisible(subject)}`,
  );
  return [
    title,
    ...lines,
    ...(total > lines.length ? [`[${total - lines.length} more: git_log with revision ${range} lists them.]`] : []),
  ];
}
