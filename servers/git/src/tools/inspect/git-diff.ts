import { Flag, openCursor, sealCursor, Text, ToolError, type RequestContext, type Result } from '@org/mcp-decorators';

import { parseRange, requireMergeBase, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { DiffInput, showDiff, type ShownDiff } from './diff-input.ts';
import { formatDiff } from './diff-result.ts';

export class GitDiffInput extends DiffInput {
  @Text('Branch, tag or commit', { optional: true }) base?: string;
  @Flag('Start at the merge base of both sides') merge_base = false;
  @Text('Branch, tag or commit to compare with; A..B compares two; A...B shows what B changed since the merge base')
  target!: string;
}

/**
 * Shows the diff of the work tree against a commit, or between two commits.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS, NO_MERGE_BASE, NO_WORK_TREE, INVALID_ARGUMENTS
 */
export async function gitDiff(repository: Repository, input: GitDiffInput, context: RequestContext): Promise<Result> {
  const diff = await diffTarget(repository, await openCursor(input, context));
  return formatDiff(repository.id, await sealCursor(diff, context), 'No differences');
}

async function diffTarget(repository: Repository, input: GitDiffInput): Promise<ShownDiff> {
  const range = parseRange(input.target);
  if (range !== undefined && input.base !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'the range in `target` already contains a base', { hint: 'omit `base`' });
  if (range !== undefined)
    return diffCommits(repository, input, { ...range, isSymmetric: range.isSymmetric || input.merge_base });
  if (input.base !== undefined)
    return diffCommits(repository, input, { from: input.base, to: input.target, isSymmetric: input.merge_base });
  requireWorkTree(repository);
  const target = await resolveCommit(repository, input.target);
  const from = input.merge_base ? await requireMergeBase(repository, target, await resolveCommit(repository, 'HEAD')) : target;
  return showDiff(repository, input, { command: ['diff', from] });
}

interface DiffRange {
  readonly from: string;
  readonly to: string;
  readonly isSymmetric: boolean;
}

async function diffCommits(
  repository: Repository,
  input: GitDiffInput,
  { from, to, isSymmetric }: DiffRange,
): Promise<ShownDiff> {
  const [one, other] = await Promise.all([resolveCommit(repository, from), resolveCommit(repository, to)]);
  const begin = isSymmetric ? await requireMergeBase(repository, one, other) : one;
  return showDiff(repository, input, { command: ['diff', begin, other], whole: `diff/${begin}..${other}` });
}
