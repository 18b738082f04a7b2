import { Field } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';

import { branchCommit, requireBranchName } from '../repository/branch-name.ts';
import type { Repository } from '../repository/repository.ts';
import { BranchPosition } from './git-create-branch.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitCheckoutInput extends RepositoryInput {
  @Field('A local branch')
  @IsString()
  branch_name!: string;
}

export class SwitchedBranch extends BranchPosition {
  @Field('The branch before; absent on a detached HEAD')
  @IsOptional()
  @IsString()
  previous?: string;
}

/**
 * Switches to a local branch; changes that would be lost make it fail.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, CONFLICT, LOCKED
 */
export async function gitCheckout(repository: Repository, { branch_name: branch }: GitCheckoutInput): Promise<SwitchedBranch> {
  await requireBranchName(repository, branch);
  const oid = await branchCommit(repository, branch);
  const head = await repository.read(['symbolic-ref', '--quiet', '--short', 'HEAD'], { codes: [0, 1] });
  const previous = head.stdout.toString('utf8').trim();
  // Never `checkout`, which takes what is no branch for a path, and its changes away.
  await repository.write(['switch', '--quiet', '--no-guess', '--no-recurse-submodules', branch]);
  return { branch, oid, ...(previous !== '' && { previous }) };
}
