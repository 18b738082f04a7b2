import { Text } from '@org/mcp-decorators';

import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { formatGitUri } from '../../text/git-uri.ts';
import { RepositoryInput } from '../../tools/inputs/repository-input.ts';
import { readCommit } from '../resources/read-commit.ts';
import { buildPrompt, type Material, type PromptMessage } from './prompt-message.ts';

export class ExplainCommitArguments extends RepositoryInput {
  @Text('Branch, tag or commit') commit!: string;
}

/**
 * Builds the prompt to explain a commit.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function explainCommit(
  repository: Repository,
  { commit }: ExplainCommitArguments,
): Promise<readonly PromptMessage[]> {
  const words =
    'Explain this commit: what it changes, why (as far as the commit shows the reason), how its parts relate, and what it may affect. ' +
    'git_blame and git_log show the history before this commit.';
  return buildPrompt(words, [await readCommitMaterial(repository, await resolveCommit(repository, commit))]);
}

export async function readCommitMaterial(repository: Repository, oid: string): Promise<Material> {
  return { uri: formatGitUri(repository.id, 'commit', oid), contents: await readCommit(repository, { rev: oid }) };
}
