import { Text, ToolError } from '@org/mcp-decorators';

import { existingBranch, requireBranchName } from '../repository/branch-name.ts';
import { hooksOf } from '../repository/hooks.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { RepositoryInput } from './repository-input.ts';
import { quoted } from '../text/visible.ts';

export class GitCreateBranchInput extends RepositoryInput {
  @Text() branch_name!: string;
  @Text('Branch, tag or commit that it begins at; default: HEAD', { optional: true }) base_branch?: string;
}

/** A branch, and the commit it stands at. */
export class BranchPosition {
  @Text() branch!: string;
  @Text() oid!: string;
}

/**
 * Creates a branch and leaves HEAD where it is.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, EMPTY_REPO, BRANCH_EXISTS, LOCKED
 */
export async function gitCreateBranch(
  repository: Repository,
  { branch_name: branch, base_branch: base = 'HEAD' }: GitCreateBranchInput,
): Promise<BranchPosition> {
  await requireBranchName(repository, branch);
  const oid = await resolveCommit(repository, base);
  return repository.alone(async () => {
    if ((await existingBranch(repository, branch)) !== undefined)
      throw new ToolError('BRANCH_EXISTS', `there is a branch ${quoted(branch)} already`, {
        hint: 'git_checkout switches to it',
      });
    await repository.write(['branch', '--no-track', '--', branch, oid], hooksOf(repository.policy));
    return { branch, oid };
  });
}
