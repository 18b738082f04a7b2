import { ToolError } from '@org/mcp-decorators';

import { decodeOutput } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';
import { findOid } from './object.ts';

/** The branch and the commit of HEAD. */
export interface Head {
  /** Short name of the branch; `undefined` on a detached HEAD. The branch may have no commit yet. */
  readonly branch: string | undefined;
  /** Object name of the current commit; `undefined` before the first commit. */
  readonly oid: string | undefined;
}

export async function readHead(repository: Repository): Promise<Head> {
  const [branch, oid] = await Promise.all([readCurrentBranch(repository), findOid(repository, 'HEAD^{commit}')]);
  return { branch, oid };
}

/**
 * Returns the short name of the current branch, or `undefined` on a detached HEAD. Does not use `--short`, which returns a longer
 * name if a tag has the same name.
 */
export async function readCurrentBranch(repository: Repository): Promise<string | undefined> {
  const { stdout } = await repository.read(['symbolic-ref', '--quiet', 'HEAD'], { codes: [0, 1] });
  const { text, name } = decodeOutput(stdout);
  const [, branch] = /^refs\/heads\/(.+)\n$/s.exec(text) ?? [];
  return branch === undefined ? undefined : name(branch);
}

/** @throws ToolError DETACHED_HEAD */
export async function requireCurrentBranch(repository: Repository): Promise<string> {
  const branch = await readCurrentBranch(repository);
  if (branch !== undefined) return branch;
  throw new ToolError('DETACHED_HEAD', 'HEAD is detached', {
    hint: 'pass the name of a branch, or switch to a branch with git_checkout',
  });
}
