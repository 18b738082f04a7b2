import { access } from 'node:fs/promises';
import path from 'node:path';

import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

import { CHANGES, parseStatus, type Change, type StatusEntry } from '../repository/parse/status.ts';
import type { Repository } from '../repository/repository.ts';
import { RepositoryInput } from './repository-input.ts';

const UNTRACKED = ['no', 'normal', 'all'] as const;

export class GitStatusInput extends RepositoryInput {
  @Field('Untracked files: none, directories as one entry, or every file')
  @IsIn([...UNTRACKED])
  untracked: (typeof UNTRACKED)[number] = 'normal';
}

export class ChangedFile {
  @Field('Relative to the top of the repository')
  @IsString()
  path!: string;

  @Field('Path before a rename')
  @IsOptional()
  @IsString()
  original_path?: string;

  @Field('Between HEAD and the index')
  @IsOptional()
  @IsIn([...CHANGES])
  staged?: Change;

  @Field('Between the index and the work tree')
  @IsOptional()
  @IsIn([...CHANGES])
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

  @Field('Unfinished: merge, rebase, cherry-pick, revert or bisect')
  @IsOptional()
  @IsString()
  operation?: string;

  @Field('By path', { type: () => ChangedFile })
  @ValidateNested({ each: true })
  entries!: ChangedFile[];

  @Field('Of all entries, listed or not', { type: () => StatusCounts })
  @ValidateNested()
  counts!: StatusCounts;

  @IsBoolean()
  truncated!: boolean;
}

/** Files in the git directory that stand for an operation in progress. */
const OPERATIONS: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'merge',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
};

/** Status in one process, at most `maxEntries` of it. */
export async function gitStatus(
  repository: Repository,
  { untracked = 'normal' }: Pick<Partial<GitStatusInput>, 'untracked'> = {},
): Promise<RepositoryStatus> {
  const command = ['status', '--porcelain=v2', '-z', '--branch', `--untracked-files=${untracked}`, '--ignore-submodules=dirty'];
  const [{ stdout }, operation] = await Promise.all([repository.read(command), operationIn(repository)]);
  const { entries, branch, oid, upstream, ahead, behind } = parseStatus(stdout);
  const { maxEntries } = repository.limits;
  return {
    repository: repository.id,
    ...(branch !== undefined && { branch }),
    ...(oid !== undefined && { oid }),
    ...(upstream !== undefined && { upstream }),
    ...(ahead !== undefined && { ahead }),
    ...(behind !== undefined && { behind }),
    ...(operation !== undefined && { operation }),
    entries: entries.slice(0, maxEntries),
    counts: countsOf(entries),
    truncated: entries.length > maxEntries,
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

export async function operationIn({ ground }: Repository): Promise<string | undefined> {
  const present = await Promise.all(Object.keys(OPERATIONS).map((name) => exists(path.join(ground.gitDir, name))));
  return Object.values(OPERATIONS).find((_, position) => present[position]);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
