import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

import { BRANCH_FORMAT, parseBranches, type ListedBranch } from '../repository/parse/branches.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { ListInput, listPage } from './list-page.ts';

const BRANCH_TYPES = ['local', 'remote', 'all'] as const;

type BranchType = (typeof BRANCH_TYPES)[number];

export class GitBranchInput extends ListInput {
  @IsIn([...BRANCH_TYPES])
  branch_type: BranchType = 'local';

  @Field('Only those that contain this commit')
  @IsOptional()
  @IsString()
  contains?: string;

  @Field('Only those without this commit')
  @IsOptional()
  @IsString()
  not_contains?: string;
}

export class Branch {
  @IsString()
  name!: string;

  @IsString()
  oid!: string;

  @Field('Cut to 1,000 characters')
  @IsString()
  subject!: string;

  @Field('Checked out')
  @IsBoolean()
  current!: boolean;

  @IsBoolean()
  remote!: boolean;

  @IsOptional()
  @IsString()
  upstream?: string;
}

export class BranchList {
  @Field({ type: () => Branch })
  @ValidateNested({ each: true })
  branches!: Branch[];

  @IsInt()
  total!: number;

  @IsBoolean()
  truncated!: boolean;

  @IsOptional()
  @IsString()
  next_cursor?: string;
}

const PREFIXES: Readonly<Record<BranchType, readonly string[]>> = {
  local: ['refs/heads'],
  remote: ['refs/remotes'],
  all: ['refs/heads', 'refs/remotes'],
};

/**
 * Lists branches, at most `maxEntries` and `maxBytes` of them.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function gitBranch(repository: Repository, input: GitBranchInput): Promise<BranchList> {
  const filters = [
    ...(input.contains === undefined ? [] : [`--contains=${await resolveCommit(repository, input.contains)}`]),
    ...(input.not_contains === undefined ? [] : [`--no-contains=${await resolveCommit(repository, input.not_contains)}`]),
  ];
  const command = ['for-each-ref', `--format=${BRANCH_FORMAT}`, ...filters, ...PREFIXES[input.branch_type]];
  const all = parseBranches((await repository.read(command)).stdout).map(branchOf);
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: branches, ...next } = listPage(all, { cursor: input.cursor, most, maxBytes });
  return { branches, total: all.length, truncated: next.next_cursor !== undefined, ...next };
}

function branchOf({ upstream, ...branch }: ListedBranch): Branch {
  return { ...branch, ...(upstream !== undefined && { upstream }) };
}
