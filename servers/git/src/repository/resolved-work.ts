import { createHash } from 'node:crypto';

import { DIFF_FLAGS } from './diff.ts';
import { changedNames, unmergedIn } from './joining.ts';
import { oidOf } from './object.ts';
import type { Operation } from './operation.ts';
import type { Repository } from './repository.ts';

/** What was done by hand since git stopped, and would go if the operation were given up. */
export interface ResolvedWork {
  readonly files: readonly string[];
  /** Another as soon as anything of it is another. */
  readonly fingerprint: string;
}

/**
 * What differs from what git left when it stopped. Changes from before the operation are kept when it is given up and do not count;
 * a rebase begins with none.
 */
export async function resolvedWork(repository: Repository, operation: Operation | undefined): Promise<ResolvedWork> {
  const left = await leftTree(repository);
  const [unmerged, edited, staged] = await Promise.all([
    unmergedIn(repository),
    changedNames(repository, left),
    changedNames(repository, '--cached', '--diff-filter=u', left),
  ]);
  const conflicts = new Set(unmerged.map(({ path }) => path));
  const isLost = (file: string): boolean => operation?.kind === 'rebase' || operation?.kind === 'am' || conflicts.has(file);
  const files = [...new Set([...staged, ...edited.filter(isLost)])].sort();
  return { files, fingerprint: files.length === 0 ? '' : await fingerprintOf(repository, left) };
}

/** What git wrote to the work tree when it stopped, with the marks of conflicts; where it did not, the commit of HEAD. */
async function leftTree(repository: Repository): Promise<string> {
  return (await oidOf(repository, 'AUTO_MERGE^{tree}')) ?? 'HEAD';
}

/** Stands for how the tracked files of the work tree differ from a tree. */
export async function fingerprintOf(repository: Repository, tree: string): Promise<string> {
  const { stdout } = await repository.read(['diff', ...DIFF_FLAGS, '--binary', '--full-index', tree, '--']);
  return createHash('sha256').update(stdout).digest('base64url');
}
