import { confirmedResult, Result, Text, ToolError, escapeInvisible, type RequestContext } from '@org/mcp-decorators';

import { configureHooks } from '../../repository/hooks.ts';
import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { requireBranchName, resolveBranch } from '../../repository/refs/branch-name.ts';
import { readHead } from '../../repository/refs/head.ts';
import { listLostCommits } from '../../repository/refs/lost-commits.ts';
import { requireUnprotected } from '../../repository/refs/protected-branches.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, recreateBranch } from '../results/undo.ts';
import type { BranchPosition } from './git-create-branch.ts';

export class GitDeleteBranchInput extends ConfirmInput {
  @Text('Local branch') branch_name!: string;
}

/** A deleted branch and its last commit. */
export interface DeletedBranch extends BranchPosition {
  readonly recover_with: string;
}

/**
 * Deletes a local branch. Requires confirmation if no other branch or tag contains its commits, and keeps these commits under a
 * backup ref.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, PROTECTED_BRANCH, CONFLICT if the branch is checked out,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, LOCKED
 */
export async function gitDeleteBranch(
  repository: Repository,
  input: GitDeleteBranchInput,
  context: RequestContext,
): Promise<Result> {
  const { branch_name: branch } = input;
  await requireBranchName(repository, branch);
  requireUnprotected(branch, 'deleted', repository.policy);
  if ((await readHead(repository)).branch === branch)
    throw new ToolError('CONFLICT', `${quoteInput(branch)} is the current branch`, {
      hint: 'switch to another branch with git_checkout',
    });
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    () => findLoss(repository, branch),
    async (loss) => {
      const oid = await resolveBranch(repository, branch);
      if (loss !== undefined) await backUpCommit(repository, oid);
      await repository.administer(['branch', '--quiet', '-D', '--', branch], configureHooks(repository.policy));
      return { branch, oid, recover_with: formatUndo(repository, [recreateBranch(branch, oid)]) };
    },
  );
  return confirmedResult(outcome, formatDeletedBranch);
}

async function findLoss(repository: Repository, branch: string): Promise<Loss | undefined> {
  const oid = await resolveBranch(repository, branch);
  const lost = await listLostCommits(repository, { branch, oid });
  if (lost.length === 0) return undefined;
  return {
    question: `Delete the branch ${branch} at ${shortOid(oid)}, with commits that no other branch or tag contains?`,
    lost,
    recoverWith: formatUndo(repository, [recreateBranch(branch, oid)]),
    seen: { branch: oid },
  };
}

function formatDeletedBranch(deleted: DeletedBranch): Result {
  return formatRecovery(deleted, `Deleted ${escapeInvisible(deleted.branch)} at ${shortOid(deleted.oid)}`);
}
