import { Text, ToolError } from '@org/mcp-decorators';

import { branchCommit, existingBranch, requireBranchName } from '../repository/branch-name.ts';
import { hooksOf } from '../repository/hooks.ts';
import { requireUnprotected } from '../repository/protected-branches.ts';
import type { Repository } from '../repository/repository.ts';
import { quoted } from '../text/visible.ts';
import type { BranchPosition } from './git-create-branch.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitRenameBranchInput extends RepositoryInput {
  @Text('A local branch') branch_name!: string;
  @Text() new_name!: string;
}

/** A branch, and what it was called. */
export interface RenamedBranch extends BranchPosition {
  readonly previous: string;
}

/**
 * Gives a local branch another name, never that of another one.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, PROTECTED_BRANCH, BRANCH_EXISTS, LOCKED
 */
export async function gitRenameBranch(
  repository: Repository,
  { branch_name: previous, new_name: branch }: GitRenameBranchInput,
): Promise<RenamedBranch> {
  await requireBranchName(repository, previous);
  await requireBranchName(repository, branch);
  requireUnprotected(previous, 'renamed', repository.policy);
  return repository.alone(async () => {
    const oid = await branchCommit(repository, previous);
    if ((await existingBranch(repository, branch)) !== undefined)
      throw new ToolError('BRANCH_EXISTS', `there is a branch ${quoted(branch)} already`);
    await repository.administer(['branch', '--quiet', '--move', '--', previous, branch], hooksOf(repository.policy));
    return { branch, oid, previous };
  });
}
