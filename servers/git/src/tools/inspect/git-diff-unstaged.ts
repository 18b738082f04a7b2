import { openCursor, sealCursor, type RequestContext, type Result } from '@org/mcp-decorators';

import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { showDiff, type DiffInput, type ShownDiff } from './diff-input.ts';
import { formatDiff } from './diff-result.ts';

/**
 * Shows the diff of the work tree against the index. Untracked files are not included.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, NO_WORK_TREE
 */
export async function gitDiffUnstaged(repository: Repository, input: DiffInput, context: RequestContext): Promise<Result> {
  const diff = await diffUnstaged(repository, await openCursor(input, context));
  return formatDiff(repository.id, await sealCursor(diff, context), 'No unstaged changes');
}

export async function diffUnstaged(repository: Repository, input: DiffInput): Promise<ShownDiff> {
  requireWorkTree(repository);
  return showDiff(repository, input, { command: ['diff'], whole: 'diff/unstaged' });
}
