import { Field } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';

import { readChanges } from '../repository/changes.ts';
import { LOG_FORMAT, parseLog } from '../repository/parse/log.ts';
import type { Repository } from '../repository/repository.ts';
import { commonAncestors, resolveCommit } from '../repository/revision.ts';
import { CommitSize } from './git-log.ts';
import { RepositoryInput } from './repository-input.ts';
import { cutSubject } from '../text/cut-subject.ts';

export class GitCompareInput extends RepositoryInput {
  @Field('Branch, tag or commit')
  @IsString()
  base!: string;

  @Field('Branch, tag or commit')
  @IsString()
  head = 'HEAD';

  @Field('Most commits of each side')
  @IsInt()
  @Min(0)
  @Max(1000)
  limit = 20;
}

export class ComparedCommit {
  @IsString()
  oid!: string;

  @IsString()
  author!: string;

  @Field('ISO 8601')
  @IsString()
  date!: string;

  @Field('First line of the message, cut to 1,000 characters')
  @IsString()
  subject!: string;
}

/** How two commits are related. */
export class Comparison {
  @IsString()
  base_oid!: string;

  @IsString()
  head_oid!: string;

  @Field('Absent if they have no history in common')
  @IsOptional()
  @IsString()
  merge_base?: string;

  @Field('Commits that only head has')
  @IsInt()
  ahead!: number;

  @Field('Commits that only base has')
  @IsInt()
  behind!: number;

  @Field('Newest first', { type: () => ComparedCommit })
  @ValidateNested({ each: true })
  ahead_commits!: ComparedCommit[];

  @Field('Newest first', { type: () => ComparedCommit })
  @ValidateNested({ each: true })
  behind_commits!: ComparedCommit[];

  @Field('What head changed since the merge base', { type: () => CommitSize })
  @IsOptional()
  @ValidateNested()
  changed?: CommitSize;

  @Field('Not all commits are listed')
  @IsBoolean()
  truncated!: boolean;
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
