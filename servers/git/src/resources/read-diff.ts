import { BasedDiffInput, DiffInput, showDiff, type ShownDiff } from '../operations/diff-input.ts';
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
  return diffContents(await showDiff(repository, new DiffInput(), { command: ['diff', ...oids] }));
}

/** @throws ToolError NO_WORK_TREE */
export async function readStagedDiff(repository: Repository): Promise<Contents> {
  requireWorkTree(repository);
  return diffContents(await gitDiffStaged(repository, new BasedDiffInput()));
}

/**
 * @param paths relative to the top; none: all
 * @throws ToolError NO_WORK_TREE
 */
export async function readUnstagedDiff(repository: Repository, paths: readonly string[] = []): Promise<Contents> {
  requireWorkTree(repository);
  return diffContents(await gitDiffUnstaged(repository, Object.assign(new DiffInput(), { paths })));
}

function diffContents({ patch, truncated }: ShownDiff): Contents {
  return bodyContents({ text: patch, truncated }, DIFF);
}
