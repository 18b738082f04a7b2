import type { Result } from '@org/mcp-decorators';

import type { Repository } from '../../repository/repository.ts';
import { formatIntegration } from './integration-result.ts';
import { pickCommits, PickInput } from './pick.ts';

export class GitRevertInput extends PickInput {}

/**
 * Reverts commits, each with a new commit that undoes its changes. With `no_commit`, the reverted changes are only staged.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NOTHING_TO_COMMIT, INVALID_REVISION, EMPTY_REPO, NO_WORK_TREE,
 * INVALID_ARGUMENTS, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export async function gitRevert(repository: Repository, input: GitRevertInput): Promise<Result> {
  return formatIntegration(await pickCommits(repository, input, { command: 'revert', outcome: 'reverted', oldestFirst: false }));
}
