import { createHash } from 'node:crypto';

import { DIFF_FLAGS, listChangedFiles } from '../content/diff-flags.ts';
import { findOid } from '../refs/object.ts';
import type { Repository } from '../repository.ts';
import { listUnmerged } from './conflicts.ts';
import type { Operation } from './operation.ts';

/** Work that was done by hand since git stopped, and that would be lost if the operation were aborted. */
export interface ResolvedWork {
  readonly files: readonly string[];
  /** Fingerprint of the work; differs as soon as the work differs. */
  readonly fingerprint: string;
}

/**
 * Finds the files that differ from the state in which git stopped. Changes from before the operation survive an abort and do not
 * count. A rebase starts without such changes, so all its changed files count.
 */
export async function findResolvedWork(repository: Repository, operation: Operation | undefined): Promise<ResolvedWork> {
  const left = await findStoppedTree(repository);
  const [unmerged, edited, staged] = await Promise.all([
    listUnmerged(repository),
    listChangedFiles(repository, left),
    listChangedFiles(repository, '--cached', '--diff-filter=u', left),
  ]);
  const conflicts = new Set(unmerged.map(({ path }) => path));
  const isLost = (file: string): boolean => operation?.kind === 'rebase' || operation?.kind === 'am' || conflicts.has(file);
  const files = [...new Set([...staged, ...edited.filter(isLost)])].sort();
  return { files, fingerprint: files.length === 0 ? '' : await fingerprintDiff(repository, left) };
}

/** Returns the tree that git wrote to the work tree when it stopped, with conflict markers. Without such a tree, returns HEAD. */
async function findStoppedTree(repository: Repository): Promise<string> {
  return (await findOid(repository, 'AUTO_MERGE^{tree}')) ?? 'HEAD';
}

/** Returns a fingerprint of the differences between a tree and the tracked files of the work tree. */
export async function fingerprintDiff(repository: Repository, tree: string): Promise<string> {
  const { stdout } = await repository.read(['diff', ...DIFF_FLAGS, '--binary', '--full-index', tree, '--']);
  return createHash('sha256').update(stdout).digest('base64url');
}
