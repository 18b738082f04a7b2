import { Flag, Integer, ListOf, OneOf, Text } from '@org/mcp-decorators';

import { BRANCH_FORMAT, parseBranches, type ListedBranch } from '../repository/parse/branches.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { ListInput, listPage } from './list-page.ts';

const BRANCH_TYPES = ['local', 'remote', 'all'] as const;

type BranchType = (typeof BRANCH_TYPES)[number];

export class GitBranchInput extends ListInput {
  @OneOf(BRANCH_TYPES) branch_type: BranchType = 'local';
  @Text('Only those that contain this commit', { optional: true }) contains?: string;
  @Text('Only those without this commit', { optional: true }) not_contains?: string;
}

export class Branch {
  @Text() name!: string;
  @Text() oid!: string;
  @Text('Cut to 1,000 characters') subject!: string;
  @Flag('Checked out') current!: boolean;
  @Flag() remote!: boolean;
  @Text({ optional: true }) upstream?: string;
}

export class BranchList {
  @ListOf(() => Branch) branches!: Branch[];
  @Integer() total!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) next_cursor?: string;
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
