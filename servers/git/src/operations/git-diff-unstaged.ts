import type { Repository } from '../repository/repository.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { showDiff, type DiffInput, type ShownDiff } from './diff-input.ts';

/**
 * What is in the work tree and not in the index; untracked files are not in a diff.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, NO_WORK_TREE
 */
export async function gitDiffUnstaged(repository: Repository, input: DiffInput): Promise<ShownDiff> {
  requireWorkTree(repository);
  return showDiff(repository, input, { command: ['diff'], whole: 'diff/unstaged' });
}
