import { Flag, Integer, ListOf, ObjectOf, Text } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { readChanges } from '../repository/changes.ts';
import { LOG_FORMAT, parseLog } from '../repository/parse/log.ts';
import type { Repository } from '../repository/repository.ts';
import { commonAncestors, resolveCommit } from '../repository/revision.ts';
import { CommitSize } from './git-log.ts';
import { RepositoryInput } from './repository-input.ts';
import { cutSubject } from '../text/cut-subject.ts';

export class GitCompareInput extends RepositoryInput {
  @Text('Branch, tag or commit') base!: string;
  @Text('Branch, tag or commit') head = 'HEAD';
  @Integer('Most commits of each side', { min: 0, max: 1000 }) limit = 20;
}

export class ComparedCommit {
  @Text() oid!: string;
  @Text() author!: string;
  @Text('ISO 8601') date!: string;
  @Text('First line of the message, cut to 1,000 characters') subject!: string;
}

/** How two commits are related. */
export class Comparison {
  @Text() base_oid!: string;
  @Text() head_oid!: string;
  @Text('Absent if they have no history in common', { optional: true }) merge_base?: string;
  @Integer('Commits that only head has') ahead!: number;
  @Integer('Commits that only base has') behind!: number;
  @ListOf(() => ComparedCommit, 'Newest first') ahead_commits!: ComparedCommit[];
  @ListOf(() => ComparedCommit, 'Newest first') behind_commits!: ComparedCommit[];
  @ObjectOf(() => CommitSize, 'What head changed since the merge base', { optional: true }) changed?: CommitSize;
  @Flag('Not all commits are listed') truncated!: boolean;
}

/**
 * What each of two commits has that the other has not.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function gitCompare(repository: Repository, { base, head, limit }: GitCompareInput): Promise<Comparison> {
  const [base_oid, head_oid] = await Promise.all([resolveCommit(repository, base), resolveCommit(repository, head)]);
  const [counts, ancestors, ahead_commits, behind_commits] = await Promise.all([
    countSides(repository, base_oid, head_oid),
    commonAncestors(repository, base_oid, head_oid),
    commitsOf(repository, [head_oid, `^${base_oid}`], limit),
    commitsOf(repository, [base_oid, `^${head_oid}`], limit),
  ]);
  const [merge_base] = ancestors;
  const changed = merge_base === undefined ? undefined : await changesBetween(repository, merge_base, head_oid);
  return {
    base_oid,
    head_oid,
    ...(merge_base !== undefined && { merge_base }),
    ...counts,
    ahead_commits,
    behind_commits,
    ...(changed && { changed }),
    truncated: counts.ahead > ahead_commits.length || counts.behind > behind_commits.length,
  };
}

async function countSides(repository: Repository, base: string, head: string): Promise<Pick<Comparison, 'ahead' | 'behind'>> {
  const { stdout } = await repository.read(['rev-list', '--count', '--left-right', `${base}...${head}`]);
  const [behind = 0, ahead = 0] = stdout.toString('utf8').trim().split('\t').map(Number);
  return { ahead, behind };
}

async function commitsOf(repository: Repository, walk: readonly string[], limit: number): Promise<ComparedCommit[]> {
  const flags = ['-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${LOG_FORMAT}`, `--max-count=${limit}`];
  const { stdout } = await repository.read(['log', ...flags, ...walk, '--'], { maxBytes: repository.limits.maxBytes });
  const commits = parseLog(stdout).map(({ oid, author, date, message }) => ({
    oid,
    author,
    date,
    subject: cutSubject(message.split('\n', 1)[0] ?? ''),
  }));
  // Half of the answer is for the other side.
  return firstThatFit(commits, repository.limits.maxBytes / 2);
}

async function changesBetween(repository: Repository, from: string, to: string): Promise<CommitSize> {
  const { totals } = await readChanges(repository, ['diff', from, to], {
    mode: 'stat',
    contextLines: 0,
    ignoreWhitespace: false,
    excludeGenerated: false,
    maxBytes: 0,
    paths: [],
  });
  return { ...totals };
}
