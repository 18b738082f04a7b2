import { Result, Text, ToolError, escapeInvisible } from '@org/mcp-decorators';

import { configureHooks } from '../../repository/hooks.ts';
import { findBranch, requireBranchName, resolveBranch } from '../../repository/refs/branch-name.ts';
import { requireUnprotected } from '../../repository/refs/protected-branches.ts';
import type { Repository } from '../../repository/repository.ts';
import { quoteInput } from '../../text/visible.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import type { BranchPosition } from './git-create-branch.ts';

export class GitRenameBranchInput extends RepositoryInput {
  @Text('Local branch') branch_name!: string;
  @Text('New name of the branch') new_name!: string;
}

/** A branch and its previous name. */
export interface RenamedBranch extends BranchPosition {
  readonly previous: string;
}

/**
 * Renames a local branch. Never overwrites another branch.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, PROTECTED_BRANCH, BRANCH_EXISTS, LOCKED
 */
export async function gitRenameBranch(
  repository: Repository,
  { branch_name: previous, new_name: branch }: GitRenameBranchInput,
): Promise<Result> {
  await requireBranchName(repository, previous);
  await requireBranchName(repository, branch);
  requireUnprotected(previous, 'renamed', repository.policy);
  const outcome = await repository.withWriteLock(async () => {
    const oid = await resolveBranch(repository, previous);
    if ((await findBranch(repository, branch)) !== undefined)
      throw new ToolError('BRANCH_EXISTS', `the branch ${quoteInput(branch)} already exists`);
    await repository.administer(['branch', '--quiet', '--move', '--', previous, branch], configureHooks(repository.policy));
    return { branch, oid, previous };
  });
  return formatRenamed(outcome);
}

function formatRenamed(renamed: RenamedBranch): Result {
  return Result.of(renamed, `Renamed ${escapeInvisible(renamed.previous)} to ${escapeInvisible(renamed.branch)}`);
}
