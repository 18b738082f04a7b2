import { DiffInput, readDiff } from '../operations/diff-input.ts';
import { gitDiffStaged } from '../operations/git-diff-staged.ts';
import { gitDiffUnstaged } from '../operations/git-diff-unstaged.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { bodyContents, type Contents } from './contents.ts';
import type { DiffUri } from './uris.ts';

export const DIFF = 'text/x-diff';

/**
 * What differs between two commits.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function readCommitsDiff(repository: Repository, { from, to }: Pick<DiffUri, 'from' | 'to'>): Promise<Contents> {
  const oids = await Promise.all([from, to].map((revision) => resolveCommit(repository, revision)));
  return bodyContents(await readDiff(repository, new DiffInput(), oids), DIFF);
}

/** @throws ToolError NO_WORK_TREE */
export async function readStagedDiff(repository: Repository): Promise<Contents> {
  requireWorkTree(repository);
  return bodyContents(await gitDiffStaged(repository, new DiffInput()), DIFF);
}

/** @throws ToolError NO_WORK_TREE */
export async function readUnstagedDiff(repository: Repository): Promise<Contents> {
  requireWorkTree(repository);
  return bodyContents(await gitDiffUnstaged(repository, new DiffInput()), DIFF);
}
