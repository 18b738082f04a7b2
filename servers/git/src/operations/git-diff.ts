import { Text, ToolError } from '@org/mcp-decorators';

import type { Repository } from '../repository/repository.ts';
import { commonAncestor, rangeOf, resolveCommit } from '../repository/revision.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { BasedDiffInput, showDiff, type ShownDiff } from './diff-input.ts';

export class GitDiffInput extends BasedDiffInput {
  @Text('Branch, tag or commit to compare the work tree with, or base; A..B compares two, A...B shows what B did since it left A')
  target!: string;
}

/**
 * The difference between a commit and the work tree, or between two commits.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS, NO_MERGE_BASE, NO_WORK_TREE, INVALID_ARGUMENTS
 */
export async function gitDiff(repository: Repository, input: GitDiffInput): Promise<ShownDiff> {
  const range = rangeOf(input.target);
  if (range !== undefined && input.base !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'a range has its own base', { hint: 'leave base out' });
  if (range !== undefined) return between(repository, input, { ...range, parted: range.parted || input.merge_base });
  if (input.base !== undefined)
    return between(repository, input, { from: input.base, to: input.target, parted: input.merge_base });
  requireWorkTree(repository);
  const target = await resolveCommit(repository, input.target);
  const from = input.merge_base ? await commonAncestor(repository, target, await resolveCommit(repository, 'HEAD')) : target;
  return showDiff(repository, input, { command: ['diff', from] });
}

interface Ends {
  readonly from: string;
  readonly to: string;
  readonly parted: boolean;
}

async function between(repository: Repository, input: GitDiffInput, { from, to, parted }: Ends): Promise<ShownDiff> {
  const [one, other] = await Promise.all([resolveCommit(repository, from), resolveCommit(repository, to)]);
  const begin = parted ? await commonAncestor(repository, one, other) : one;
  return showDiff(repository, input, { command: ['diff', begin, other], whole: `diff/${begin}..${other}` });
}
