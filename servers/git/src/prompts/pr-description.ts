import { Text } from '@org/mcp-decorators';

import { RepositoryInput } from '../operations/repository-input.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { readCommits } from './commits.ts';
import { noChanges } from './no-changes.ts';
import { request, type PromptMessage } from './prompt-message.ts';
import { branchDiff } from './review-changes.ts';

const MOST_COMMITS = 100;

export class PrDescriptionArguments extends RepositoryInput {
  @Text('Branch that it is to be merged into') base!: string;
  @Text('Branch, tag or commit that is to be merged; default: HEAD', { optional: true }) head?: string;
}

/**
 * Asks for the description of a pull request.
 *
 * @throws ToolError NO_CHANGES, INVALID_REVISION, EMPTY_REPO
 */
export async function prDescription(
  repository: Repository,
  { base, head = 'HEAD' }: PrDescriptionArguments,
): Promise<readonly PromptMessage[]> {
  const [after, upTo] = await Promise.all([resolveCommit(repository, base), resolveCommit(repository, head)]);
  const commits = await readCommits(repository, { after, upTo, most: MOST_COMMITS });
  if (commits.count === 0)
    throw noChanges('the base has every commit of the head', 'name another base, or the branch that is to be merged as head');
  const words =
    'Write the title and the description of a pull request of these commits: what it does and why, what a reviewer has to know, ' +
    'how it was or can be tested, and what it breaks, if anything. Markdown; no section that would be empty.';
  return request(words, [commits, ...(await branchDiff(repository, after, upTo))]);
}
