import type { Repository } from '../repository/repository.ts';
import type { JoinedHistory } from './joined-history.ts';
import { PickInput, pick } from './pick.ts';

export class GitCherryPickInput extends PickInput {}

/**
 * Applies what commits changed to the current branch, one after the other, each as a new commit.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NOTHING_TO_COMMIT, INVALID_REVISION, EMPTY_REPO, NO_WORK_TREE,
 * INVALID_ARGUMENTS, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export function gitCherryPick(repository: Repository, input: GitCherryPickInput): Promise<JoinedHistory> {
  return pick(repository, input, { command: 'cherry-pick', outcome: 'picked', oldestFirst: true });
}
