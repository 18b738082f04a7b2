import type { Result } from '@org/mcp-decorators';

import type { Repository } from '../../repository/repository.ts';
import { formatIntegration } from './integration-result.ts';
import { pickCommits, PickInput } from './pick.ts';

export class GitCherryPickInput extends PickInput {}

/**
 * Applies the changes of commits to the current branch, each as a new commit unless `no_commit` is set.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NOTHING_TO_COMMIT, INVALID_REVISION, EMPTY_REPO, NO_WORK_TREE,
 * INVALID_ARGUMENTS, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export async function gitCherryPick(repository: Repository, input: GitCherryPickInput): Promise<Result> {
  return formatIntegration(
    await pickCommits(repository, input, { command: 'cherry-pick', outcome: 'picked', oldestFirst: true }),
  );
}
