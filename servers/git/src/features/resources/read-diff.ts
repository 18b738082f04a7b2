import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { BasedDiffInput, DiffInput, showDiff, type ShownDiff } from '../../tools/inspect/diff-input.ts';
import { diffStaged } from '../../tools/inspect/git-diff-staged.ts';
import { diffUnstaged } from '../../tools/inspect/git-diff-unstaged.ts';
import { bodyContents, type Contents } from './contents.ts';
import type { DiffUri } from './uris.ts';

export const DIFF = 'text/x-diff';

/**
 * Reads the diff between two commits.
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
  return diffContents(await diffStaged(repository, new BasedDiffInput()));
}

/**
 * @param paths relative to the top; default: all files
 * @throws ToolError NO_WORK_TREE
 */
export async function readUnstagedDiff(repository: Repository, paths: readonly string[] = []): Promise<Contents> {
  requireWorkTree(repository);
  return diffContents(await diffUnstaged(repository, Object.assign(new DiffInput(), { paths })));
}

function diffContents({ patch, truncated }: ShownDiff): Contents {
  return bodyContents({ text: patch, truncated }, DIFF);
}
