import { Text } from '@org/mcp-decorators';

import { RepositoryInput } from '../operations/repository-input.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { readCommit } from '../resources/read-commit.ts';
import { gitUri } from '../text/git-uri.ts';
import { request, type Material, type PromptMessage } from './prompt-message.ts';

export class ExplainCommitArguments extends RepositoryInput {
  @Text('Branch, tag or commit') commit!: string;
}

/**
 * Asks what a commit does and why.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function explainCommit(
  repository: Repository,
  { commit }: ExplainCommitArguments,
): Promise<readonly PromptMessage[]> {
  const words =
    'Explain this commit: what it changes, why as far as that shows, how the parts belong together, and what may be affected by it. ' +
    'git_blame and git_log show what was there before.';
  return request(words, [await commitMaterial(repository, await resolveCommit(repository, commit))]);
}

export async function commitMaterial(repository: Repository, oid: string): Promise<Material> {
  return { uri: gitUri(repository.id, 'commit', oid), contents: await readCommit(repository, { rev: oid }) };
}
