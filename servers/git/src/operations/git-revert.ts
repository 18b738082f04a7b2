import type { Repository } from '../repository/repository.ts';
import type { JoinedHistory } from './joined-history.ts';
import { PickInput, pick } from './pick.ts';

export class GitRevertInput extends PickInput {}

/**
 * Takes back what commits changed, one after the other, each by a new commit.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NOTHING_TO_COMMIT, INVALID_REVISION, EMPTY_REPO, NO_WORK_TREE,
 * INVALID_ARGUMENTS, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export function gitRevert(repository: Repository, input: GitRevertInput): Promise<JoinedHistory> {
  return pick(repository, input, { command: 'revert', outcome: 'reverted', oldestFirst: false });
}
