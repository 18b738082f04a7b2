import { Text } from '@org/mcp-decorators';

import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { RepositoryInput } from '../../tools/inputs/repository-input.ts';
import { readCommits } from './commits.ts';
import { buildPrompt, noChangesError, type PromptMessage } from './prompt-message.ts';
import { readBranchDiff } from './review-changes.ts';

const MAX_COMMITS = 100;

export class PrDescriptionArguments extends RepositoryInput {
  @Text('Branch to merge into') base!: string;
  @Text('Branch, tag or commit to merge; default: HEAD', { optional: true }) head?: string;
}

/**
 * Builds the prompt to describe a pull request.
 *
 * @throws ToolError NO_CHANGES, INVALID_REVISION, EMPTY_REPO
 */
export async function prDescription(
  repository: Repository,
  { base, head = 'HEAD' }: PrDescriptionArguments,
): Promise<readonly PromptMessage[]> {
  const [after, upTo] = await Promise.all([resolveCommit(repository, base), resolveCommit(repository, head)]);
  const commits = await readCommits(repository, { after, upTo, most: MAX_COMMITS });
  if (commits.count === 0)
    throw noChangesError('the base contains every commit of the head', 'use another base, or set head to the branch to merge');
  const words =
    'Write the title and the description of a pull request with these commits: what it does and why, what a reviewer must know, ' +
    'how it was or can be tested, and what it breaks, if anything. Use Markdown; omit empty sections.';
  return buildPrompt(words, [commits, ...(await readBranchDiff(repository, after, upTo))]);
}
