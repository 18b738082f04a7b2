import { Text, ToolError } from '@org/mcp-decorators';

import { RepositoryInput } from '../operations/repository-input.ts';
import { isAncestor } from '../repository/ancestry.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { readCommits } from './commits.ts';
import { noChanges } from './no-changes.ts';
import { request, type PromptMessage } from './prompt-message.ts';

const MOST_COMMITS = 500;

export class BisectArguments extends RepositoryInput {
  @Text('Branch, tag or commit in which it still worked') good!: string;
  @Text('Branch, tag or commit in which it does not work; default: HEAD', { optional: true }) bad?: string;
  @Text('What does not work, and how that shows', { optional: true, maxLength: 4000 }) symptom?: string;
}

/**
 * Asks for the commit that broke something.
 *
 * @throws ToolError NO_CHANGES, INVALID_ARGUMENTS if the one commit does not come from the other, INVALID_REVISION, EMPTY_REPO
 */
export async function bisect(
  repository: Repository,
  { good, bad = 'HEAD', symptom }: BisectArguments,
): Promise<readonly PromptMessage[]> {
  const [after, upTo] = await Promise.all([resolveCommit(repository, good), resolveCommit(repository, bad)]);
  await requireAncestor(repository, after, upTo);
  const commits = await readCommits(repository, { after, upTo, most: MOST_COMMITS });
  if (commits.count === 0) throw noChanges('good and bad are the same commit', 'name an older one as good');
  const middle = await repository.read(['rev-list', '--bisect', upTo, `^${after}`, '--']);
  const words =
    'Find the commit that broke this by halving: test the commit in the middle of those that are left, then go on with the half in which it broke, ' +
    'until one is left. Judge by the messages and diffs first (git_show) whether one of them is likely enough to be tested at once. ' +
    'Test in a worktree of its own (git_worktree_add), so that nothing here is touched, and remove it in the end. Then say which commit it is, and show by its diff why.';
  return request(
    words,
    [commits],
    [
      `Good: ${after}\nBad: ${upTo}\nIn the middle: ${middle.stdout.toString('utf8').trim()}`,
      ...(symptom === undefined ? [] : [`What does not work: ${symptom}`]),
    ],
  );
}

async function requireAncestor(repository: Repository, good: string, bad: string): Promise<void> {
  if (await isAncestor(repository, good, bad)) return;
  throw new ToolError('INVALID_ARGUMENTS', 'the bad commit does not come from the good one', {
    hint: 'git_compare tells where they parted; name that one as good',
  });
}
