import { Text } from '@org/mcp-decorators';

import { findMergeBases, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { formatGitUri } from '../../text/git-uri.ts';
import { RepositoryInput } from '../../tools/inputs/repository-input.ts';
import { readCommitsDiff, readStagedDiff, readUnstagedDiff } from '../resources/read-diff.ts';
import { buildPrompt, focusOn, noChangesError, type Material, type PromptMessage } from './prompt-message.ts';

export const FOCUSES = ['correctness', 'security', 'performance', 'tests', 'readability', 'compatibility'] as const;

export class ReviewChangesArguments extends RepositoryInput {
  @Text('Review the changes of HEAD since its merge base with this branch, tag or commit; default: review uncommitted changes', {
    optional: true,
  })
  base?: string;

  @Text('Focus of the review', { optional: true, maxLength: 1000 }) focus?: string;
}

/**
 * Builds the prompt to review uncommitted changes, or the changes of HEAD since the merge base with another commit.
 *
 * @throws ToolError NO_CHANGES, NO_WORK_TREE, INVALID_REVISION, EMPTY_REPO
 */
export async function reviewChanges(
  repository: Repository,
  { base, focus }: ReviewChangesArguments,
): Promise<readonly PromptMessage[]> {
  const found = await (base === undefined ? readUncommitted(repository) : readBranchDiff(repository, base, 'HEAD'));
  const material = found.filter(({ contents }) => contents.text !== '');
  if (material.length === 0)
    throw noChangesError('the repository has no changes to review', 'set base to review committed changes');
  const words =
    'Review these changes. List what is wrong, risky or unclear, each with file and line, the worst first; ' +
    'read the surrounding code with the tools before you judge a change.';
  return buildPrompt(words + focusOn(focus), material);
}

/** Returns the diff from the merge base of `base` and `head` to `head`. Without a merge base, the diff starts at `base`. */
export async function readBranchDiff(repository: Repository, base: string, head: string): Promise<readonly Material[]> {
  const [one, other] = await Promise.all([resolveCommit(repository, base), resolveCommit(repository, head)]);
  const [from = one] = await findMergeBases(repository, one, other);
  return [
    {
      uri: formatGitUri(repository.id, 'diff', `${from}..${other}`),
      contents: await readCommitsDiff(repository, { from, to: other }),
    },
  ];
}

async function readUncommitted(repository: Repository): Promise<readonly Material[]> {
  const [staged, unstaged] = await Promise.all([readStagedDiff(repository), readUnstagedDiff(repository)]);
  return [
    { uri: formatGitUri(repository.id, 'diff', 'staged'), contents: staged },
    { uri: formatGitUri(repository.id, 'diff', 'unstaged'), contents: unstaged },
  ];
}
