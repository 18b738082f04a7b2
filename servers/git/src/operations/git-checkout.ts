import { Flag, Text, ToolError, visibleName } from '@org/mcp-decorators';

import { branchCommit, existingBranch, requireBranchName } from '../repository/branch-name.ts';
import { headOf } from '../repository/head.ts';
import { hooksOf } from '../repository/hooks.ts';
import { remoteBranch } from '../repository/remote-branch.ts';
import type { Repository } from '../repository/repository.ts';
import { requireCommits } from '../repository/revision.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { quoted } from '../text/visible.ts';
import { BranchPosition } from './git-create-branch.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitCheckoutInput extends RepositoryInput {
  @Text('A local branch; with `track`, a remote one such as origin/feature') branch_name!: string;
  @Flag('Create it at HEAD') create = false;
  @Flag('Create a local branch that follows the remote one') track = false;
}

export class SwitchedBranch extends BranchPosition {
  @Text('The branch before; absent on a detached HEAD', { optional: true }) previous?: string;
}

/**
 * Switches to a local branch, new or not; changes that would be lost make it fail.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, BRANCH_EXISTS, CONFLICT, EMPTY_REPO, INVALID_ARGUMENTS, NO_WORK_TREE, LOCKED
 */
export async function gitCheckout(repository: Repository, input: GitCheckoutInput): Promise<SwitchedBranch> {
  requireWorkTree(repository);
  const { branch_name: given, create, track } = input;
  if (create && track)
    throw new ToolError('INVALID_ARGUMENTS', '`track` creates the branch by itself: it does not go with `create`');
  await requireBranchName(repository, given);
  return repository.alone(async () => {
    const { branch: previous } = await headOf(repository);
    const { branch, how, follows } = await chosen(repository, input);
    // Never `checkout`, which takes what is no branch for a path, and its changes away.
    const command = ['switch', '--quiet', '--no-guess', '--no-overwrite-ignore', '--no-recurse-submodules', ...how];
    await repository.write(command, hooksOf(repository.policy));
    if (follows !== undefined) await repository.administer(['branch', '--quiet', `--set-upstream-to=${follows}`, '--', branch]);
    const oid = await branchCommit(repository, branch);
    return { branch, oid, ...(previous !== undefined && { previous }) };
  });
}

interface Choice {
  readonly branch: string;
  /** Arguments of `git switch`. */
  readonly how: readonly string[];
  /** Full name of the remote branch that becomes the upstream. */
  readonly follows?: string;
}

async function chosen(repository: Repository, { branch_name: given, create, track }: GitCheckoutInput): Promise<Choice> {
  if (!create && !track) {
    await requireLocal(repository, given);
    return { branch: given, how: [given] };
  }
  const remote = track ? await remoteBranch(repository, given) : undefined;
  const branch = remote?.branch ?? given;
  if (remote === undefined) await requireCommits(repository);
  else await requireBranchName(repository, branch);
  if ((await existingBranch(repository, branch)) !== undefined)
    throw new ToolError('BRANCH_EXISTS', `there is a branch ${quoted(branch)} already`, {
      hint: 'call without `create` and `track`',
    });
  const how = ['--no-track', `--create=${branch}`];
  return remote === undefined ? { branch, how } : { branch, how: [...how, remote.ref], follows: remote.ref };
}

async function requireLocal(repository: Repository, branch: string): Promise<void> {
  if ((await existingBranch(repository, branch)) !== undefined) return;
  const remote = await remoteBranch(repository, branch).catch(() => undefined);
  if (remote === undefined) await branchCommit(repository, branch);
  else
    throw new ToolError('INVALID_REVISION', `${quoted(branch)} is not a local branch`, {
      hint: `track: true makes one that follows ${visibleName(remote.ref.slice('refs/remotes/'.length))}`,
    });
}
