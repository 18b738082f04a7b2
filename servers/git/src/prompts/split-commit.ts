import { Text } from '@org/mcp-decorators';

import { RepositoryInput } from '../operations/repository-input.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { commitMaterial } from './explain-commit.ts';
import { request, type PromptMessage } from './prompt-message.ts';

export class SplitCommitArguments extends RepositoryInput {
  @Text('Branch, tag or commit; default: HEAD', { optional: true }) commit?: string;
}

/**
 * Asks how a commit can be made several.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function splitCommit(
  repository: Repository,
  { commit = 'HEAD' }: SplitCommitArguments,
): Promise<readonly PromptMessage[]> {
  const words =
    'Propose how to split this commit into several that each do one thing and leave the software working: for each, in their order, ' +
    'its files and hunks and its message. If it does one thing already, say so. Change nothing before the proposal is accepted; ' +
    'then git_reset to its parent in mode mixed, git_add and git_commit make them.';
  return request(words, [await commitMaterial(repository, await resolveCommit(repository, commit))]);
}
