import { ToolError } from '@org/mcp-decorators';

import type { Repository } from './repository.ts';

/** The short name of the branch that HEAD is on, which may have no commit yet; none on a detached HEAD. */
export async function currentBranch(repository: Repository): Promise<string | undefined> {
  const { stdout } = await repository.read(['symbolic-ref', '--quiet', 'HEAD'], { codes: [0, 1] });
  const [, branch] = /^refs\/heads\/(.+)\n$/s.exec(stdout.toString('utf8')) ?? [];
  return branch;
}

/** @throws ToolError DETACHED_HEAD */
export async function requireCurrentBranch(repository: Repository): Promise<string> {
  const branch = await currentBranch(repository);
  if (branch !== undefined) return branch;
  throw new ToolError('DETACHED_HEAD', 'HEAD is on no branch', { hint: 'name a branch, or switch to one with git_checkout' });
}
