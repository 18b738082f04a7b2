import { openCursor, sealCursor, type RequestContext, type Result } from '@org/mcp-decorators';

import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { resolveBase, showDiff, type BasedDiffInput, type ShownDiff } from './diff-input.ts';
import { formatDiff } from './diff-result.ts';

/**
 * Shows the diff of the index against HEAD or another commit. Before the first commit, shows the whole index.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, INVALID_REVISION, EMPTY_REPO, NO_WORK_TREE
 */
export async function gitDiffStaged(repository: Repository, input: BasedDiffInput, context: RequestContext): Promise<Result> {
  const diff = await diffStaged(repository, await openCursor(input, context));
  return formatDiff(repository.id, await sealCursor(diff, context), 'No staged changes');
}

export async function diffStaged(repository: Repository, input: BasedDiffInput): Promise<ShownDiff> {
  requireWorkTree(repository);
  const base = await resolveBase(repository, input);
  return showDiff(repository, input, {
    command: ['diff', '--cached', ...base],
    ...(base.length === 0 && { whole: 'diff/staged' }),
  });
}
