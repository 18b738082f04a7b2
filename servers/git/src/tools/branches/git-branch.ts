import { Flag, Integer, ListOf, OneOf, Result, Text, escapeInvisible } from '@org/mcp-decorators';

import { BRANCH_FORMAT, parseBranches, type ListedBranch } from '../../repository/parse/branches.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { ListInput, listPage } from '../inputs/list-page.ts';
import { formatRest } from '../results/result-text.ts';

const BRANCH_TYPES = ['local', 'remote', 'all'] as const;

type BranchType = (typeof BRANCH_TYPES)[number];

export class GitBranchInput extends ListInput {
  @OneOf(BRANCH_TYPES, 'Default: local') branch_type: BranchType = 'local';
  @Text('Only branches that contain this commit', { optional: true }) contains?: string;
  @Text('Only branches without this commit', { optional: true }) not_contains?: string;
}

export class Branch {
  @Text() name!: string;
  @Text() oid!: string;
  @Text() subject!: string;
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
 * Lists at most `maxEntries` branches, in at most `maxBytes` bytes.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function gitBranch(repository: Repository, input: GitBranchInput): Promise<Result> {
  const filters = [
    ...(input.contains === undefined ? [] : [`--contains=${await resolveCommit(repository, input.contains)}`]),
    ...(input.not_contains === undefined ? [] : [`--no-contains=${await resolveCommit(repository, input.not_contains)}`]),
  ];
  const command = ['for-each-ref', `--format=${BRANCH_FORMAT}`, ...filters, ...PREFIXES[input.branch_type]];
  const all = parseBranches((await repository.read(command)).stdout).map(toBranch);
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: branches, ...next } = listPage(all, { cursor: input.cursor, most, maxBytes });
  return formatBranches({ branches, total: all.length, truncated: next.next_cursor !== undefined, ...next });
}

function toBranch({ upstream, ...branch }: ListedBranch): Branch {
  return { ...branch, ...(upstream !== undefined && { upstream }) };
}

function formatBranches(list: BranchList): Result {
  const lines = list.branches.map(formatBranch);
  if (list.truncated) lines.push(formatRest(list, list.branches.length, 'branches'));
  return Result.of(list, lines.length === 0 ? 'No branches found' : lines.join('\n'));
}

function formatBranch({ name, oid, subject, current, upstream }: Branch): string {
  const tracked = upstream === undefined ? '' : ` [${escapeInvisible(upstream)}]`;
  return `${current ? '*' : ' '} ${escapeInvisible(name)} ${shortOid(oid)}${tracked} ${escapeInvisible(subject)}`;
}
