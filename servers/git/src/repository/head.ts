import { ToolError } from '@org/mcp-decorators';

import { oidOf } from './object.ts';
import { decode } from './parse/fields.ts';
import type { Repository } from './repository.ts';

/** Where HEAD is. */
export interface Head {
  /** Short name of the branch, which may have no commit yet; `undefined` on a detached HEAD. */
  readonly branch: string | undefined;
  /** `undefined` before the first commit. */
  readonly oid: string | undefined;
}

export async function headOf(repository: Repository): Promise<Head> {
  const [branch, oid] = await Promise.all([currentBranch(repository), oidOf(repository, 'HEAD^{commit}')]);
  return { branch, oid };
}

/** Not by `--short`, which is another name where a tag has the branch's. */
export async function currentBranch(repository: Repository): Promise<string | undefined> {
  const { stdout } = await repository.read(['symbolic-ref', '--quiet', 'HEAD'], { codes: [0, 1] });
  const { text, name } = decode(stdout);
  const [, branch] = /^refs\/heads\/(.+)\n$/s.exec(text) ?? [];
  return branch === undefined ? undefined : name(branch);
}

/** @throws ToolError DETACHED_HEAD */
export async function requireCurrentBranch(repository: Repository): Promise<string> {
  const branch = await currentBranch(repository);
  if (branch !== undefined) return branch;
  throw new ToolError('DETACHED_HEAD', 'HEAD is on no branch', { hint: 'name a branch, or switch to one with git_checkout' });
}
