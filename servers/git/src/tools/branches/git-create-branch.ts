import { Result, Text, ToolError, escapeInvisible } from '@org/mcp-decorators';

import { configureHooks } from '../../repository/hooks.ts';
import { findBranch, requireBranchName } from '../../repository/refs/branch-name.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitCreateBranchInput extends RepositoryInput {
  @Text('New branch') branch_name!: string;
  @Text('Branch, tag or commit; default: HEAD', { optional: true }) base_branch?: string;
}

/** A branch and its commit. */
export class BranchPosition {
  @Text() branch!: string;
  @Text() oid!: string;
}

/**
 * Creates a branch without moving HEAD.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, EMPTY_REPO, BRANCH_EXISTS, LOCKED
 */
export async function gitCreateBranch(
  repository: Repository,
  { branch_name: branch, base_branch: base = 'HEAD' }: GitCreateBranchInput,
): Promise<Result> {
  await requireBranchName(repository, branch);
  const oid = await resolveCommit(repository, base);
  const outcome = await repository.withWriteLock(async () => {
    if ((await findBranch(repository, branch)) !== undefined)
      throw new ToolError('BRANCH_EXISTS', `the branch ${quoteInput(branch)} already exists`, {
        hint: 'switch to the branch with git_checkout',
      });
    await repository.write(['branch', '--no-track', '--', branch, oid], configureHooks(repository.policy));
    return { branch, oid };
  });
  return formatCreated(outcome);
}

function formatCreated(created: BranchPosition): Result {
  return Result.of(created, `Created ${escapeInvisible(created.branch)} at ${shortOid(created.oid)}`);
}
