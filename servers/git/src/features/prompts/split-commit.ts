import { Text } from '@org/mcp-decorators';

import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { RepositoryInput } from '../../tools/inputs/repository-input.ts';
import { readCommitMaterial } from './explain-commit.ts';
import { buildPrompt, type PromptMessage } from './prompt-message.ts';

export class SplitCommitArguments extends RepositoryInput {
  @Text('Branch, tag or commit; default: HEAD', { optional: true }) commit?: string;
}

/**
 * Builds the prompt to split a commit.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function splitCommit(
  repository: Repository,
  { commit = 'HEAD' }: SplitCommitArguments,
): Promise<readonly PromptMessage[]> {
  const words =
    'Propose how to split this commit into several commits that each do one thing and leave the software working. For each commit, in order, ' +
    'list its files and hunks and its message. If the commit already does one thing, say so. Change nothing before the user accepts the proposal; ' +
    'then use git_reset to the parent in mode mixed, git_add (for a part of a file git_hunks and git_stage_hunks, if available) and git_commit to create the commits.';
  return buildPrompt(words, [await readCommitMaterial(repository, await resolveCommit(repository, commit))]);
}
