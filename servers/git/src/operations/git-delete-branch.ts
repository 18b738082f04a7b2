import { Text, ToolError, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import { branchCommit, requireBranchName } from '../repository/branch-name.ts';
import { headOf } from '../repository/head.ts';
import { hooksOf } from '../repository/hooks.ts';
import { lostCommits } from '../repository/lost-commits.ts';
import { requireUnprotected } from '../repository/protected-branches.ts';
import type { Repository } from '../repository/repository.ts';
import { shellQuoted } from '../text/shell-quoted.ts';
import { short } from '../text/short.ts';
import { quoted } from '../text/visible.ts';
import type { BranchPosition } from './git-create-branch.ts';

export class GitDeleteBranchInput extends ConfirmInput {
  @Text('A local branch') branch_name!: string;
}

/** A branch that was deleted, and where it stood. */
export interface DeletedBranch extends BranchPosition {
  readonly recover_with: string;
}

/**
 * Deletes a local branch. Where no other branch or tag has its commits, that is confirmed, and they are kept.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, PROTECTED_BRANCH, CONFLICT for one that is checked out,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, LOCKED
 */
export async function gitDeleteBranch(
  repository: Repository,
  input: GitDeleteBranchInput,
  context: RequestContext,
): Promise<DeletedBranch | Preview> {
  const { branch_name: branch } = input;
  await requireBranchName(repository, branch);
  requireUnprotected(branch, 'deleted', repository.policy);
  if ((await headOf(repository)).branch === branch)
    throw new ToolError('CONFLICT', `${quoted(branch)} is the current branch`, { hint: 'git_checkout switches to another' });
  return whenConfirmed(
    { repository, input, context },
    () => lossOf(repository, branch),
    async (loss) => {
      const oid = await branchCommit(repository, branch);
      if (loss !== undefined) await backUp(repository, oid);
      await repository.administer(['branch', '--quiet', '-D', '--', branch], hooksOf(repository.policy));
      return { branch, oid, recover_with: recovering(branch, oid) };
    },
  );
}

async function lossOf(repository: Repository, branch: string): Promise<Loss | undefined> {
  const oid = await branchCommit(repository, branch);
  const lost = await lostCommits(repository, { branch, oid });
  if (lost.length === 0) return undefined;
  return {
    question: `Delete ${branch} at ${short(oid)}, with commits that are on no other branch?`,
    lost,
    recoverWith: recovering(branch, oid),
    seen: { branch: oid },
  };
}

function recovering(branch: string, oid: string): string {
  return `git branch ${shellQuoted(branch)} ${oid}`;
}
