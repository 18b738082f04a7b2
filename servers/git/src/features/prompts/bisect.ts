import { Text, ToolError } from '@org/mcp-decorators';

import { isAncestor, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { RepositoryInput } from '../../tools/inputs/repository-input.ts';
import { readCommits } from './commits.ts';
import { buildPrompt, noChangesError, type PromptMessage } from './prompt-message.ts';

const MAX_COMMITS = 500;

export class BisectArguments extends RepositoryInput {
  @Text('Branch, tag or commit that still worked') good!: string;
  @Text('Branch, tag or commit that does not work; default: HEAD', { optional: true }) bad?: string;
  @Text('The problem, and how to reproduce it', { optional: true, maxLength: 4000 }) symptom?: string;
}

/**
 * Builds the prompt to find the commit that introduced a problem.
 *
 * @throws ToolError NO_CHANGES, INVALID_ARGUMENTS if the good commit is not an ancestor of the bad commit, INVALID_REVISION, EMPTY_REPO
 */
export async function bisect(
  repository: Repository,
  { good, bad = 'HEAD', symptom }: BisectArguments,
): Promise<readonly PromptMessage[]> {
  const [after, upTo] = await Promise.all([resolveCommit(repository, good), resolveCommit(repository, bad)]);
  await requireAncestor(repository, after, upTo);
  const commits = await readCommits(repository, { after, upTo, most: MAX_COMMITS });
  if (commits.count === 0) throw noChangesError('good and bad are the same commit', 'use an older commit as good');
  const middle = await repository.read(['rev-list', '--bisect', upTo, `^${after}`, '--']);
  const words =
    'Find the commit that introduced this problem by bisection: test the commit in the middle of the remaining commits and continue with the half that contains the problem, ' +
    'until one commit is left. First read the messages and diffs (git_show): if one commit is a likely cause, test it first. ' +
    'git_bisect, if available, keeps the state and checks out each commit. Otherwise test in a separate work tree (git_worktree_add), so that this work tree does not change, and remove it afterwards. Then name the commit and explain the cause with its diff.';
  return buildPrompt(
    words,
    [commits],
    [
      `Good: ${after}\nBad: ${upTo}\nMiddle: ${middle.stdout.toString('utf8').trim()}`,
      ...(symptom === undefined ? [] : [`Problem: ${symptom}`]),
    ],
  );
}

async function requireAncestor(repository: Repository, good: string, bad: string): Promise<void> {
  if (await isAncestor(repository, good, bad)) return;
  throw new ToolError('INVALID_ARGUMENTS', 'the good commit is not an ancestor of the bad commit', {
    hint: 'use the merge base of both commits as good; git_compare shows the merge base',
  });
}
