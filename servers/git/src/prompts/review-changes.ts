import { Text } from '@org/mcp-decorators';

import { RepositoryInput } from '../operations/repository-input.ts';
import type { Repository } from '../repository/repository.ts';
import { commonAncestors, resolveCommit } from '../repository/revision.ts';
import { readCommitsDiff, readStagedDiff, readUnstagedDiff } from '../resources/read-diff.ts';
import { gitUri } from '../text/git-uri.ts';
import { noChanges } from './no-changes.ts';
import { inParticular, request, type Material, type PromptMessage } from './prompt-message.ts';

export const FOCUSES = ['correctness', 'security', 'performance', 'tests', 'readability', 'compatibility'] as const;

export class ReviewChangesArguments extends RepositoryInput {
  @Text('Branch, tag or commit: what HEAD did since it left that; default: what is not committed', { optional: true })
  base?: string;

  @Text('What to look at in particular', { optional: true, maxLength: 1000 }) focus?: string;
}

/**
 * Asks for a review of what is not committed, or of what HEAD did since it left another commit.
 *
 * @throws ToolError NO_CHANGES, NO_WORK_TREE, INVALID_REVISION, EMPTY_REPO
 */
export async function reviewChanges(
  repository: Repository,
  { base, focus }: ReviewChangesArguments,
): Promise<readonly PromptMessage[]> {
  const found = await (base === undefined ? uncommitted(repository) : branchDiff(repository, base, 'HEAD'));
  const material = found.filter(({ contents }) => contents.text !== '');
  if (material.length === 0)
    throw noChanges('there is nothing to review', 'name a base to review what was committed since, or change something');
  const words =
    'Review these changes. Name what is wrong, risky or unclear, each with its file and line, the worst first; ' +
    'read what is around a change with the tools before you judge it.';
  return request(words + inParticular(focus), material);
}

/** What one commit did since it left another. */
export async function branchDiff(repository: Repository, base: string, head: string): Promise<readonly Material[]> {
  const [one, other] = await Promise.all([resolveCommit(repository, base), resolveCommit(repository, head)]);
  const [from = one] = await commonAncestors(repository, one, other);
  return [
    { uri: gitUri(repository.id, 'diff', `${from}..${other}`), contents: await readCommitsDiff(repository, { from, to: other }) },
  ];
}

async function uncommitted(repository: Repository): Promise<readonly Material[]> {
  const [staged, unstaged] = await Promise.all([readStagedDiff(repository), readUnstagedDiff(repository)]);
  return [
    { uri: gitUri(repository.id, 'diff', 'staged'), contents: staged },
    { uri: gitUri(repository.id, 'diff', 'unstaged'), contents: unstaged },
  ];
}
