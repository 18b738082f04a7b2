import type { Repository } from '../repository/repository.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { baseOf, showDiff, type BasedDiffInput, type ShownDiff } from './diff-input.ts';

/**
 * What is in the index and not in HEAD, or another commit; before the first commit, all of the index.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, INVALID_REVISION, EMPTY_REPO, NO_WORK_TREE
 */
export async function gitDiffStaged(repository: Repository, input: BasedDiffInput): Promise<ShownDiff> {
  requireWorkTree(repository);
  const base = await baseOf(repository, input);
  return showDiff(repository, input, {
    command: ['diff', '--cached', ...base],
    ...(base.length === 0 && { whole: 'diff/staged' }),
  });
}
