import { Integer, Result, TextList, escapeInvisible } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';
import type { Roots } from '@org/mcp-roots';

import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { findShownPath, readWorktrees } from '../../repository/refs/worktrees.ts';
import type { Repository } from '../../repository/repository.ts';
import { formatCount } from '../../text/format.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitWorktreePruneInput extends RepositoryInput {}

/** The pruned work trees. */
export class PrunedWorktrees {
  @TextList('Former paths of pruned work trees, if inside the allowed directories') paths!: string[];
  @Integer() total!: number;
}

/**
 * Prunes work trees whose directories no longer exist, unless the work trees are locked. Keeps the commit of a work tree with a
 * detached HEAD under a backup ref.
 *
 * @throws ToolError LOCKED
 */
export async function gitWorktreePrune(repository: Repository, roots: Roots): Promise<Result> {
  const outcome = await repository.withWriteLock(async () => {
    const gone = (await readWorktrees(repository)).filter(
      ({ prunable, locked }) => prunable !== undefined && locked === undefined,
    );
    for (const { oid, branch } of gone) if (oid !== undefined && branch === undefined) await backUpCommit(repository, oid);
    await repository.administer(['worktree', 'prune', '--expire=now']);
    const shown = await Promise.all(gone.map(({ path }) => findShownPath(roots, path)));
    const paths = shown.filter((path) => path !== undefined);
    return { paths: takeFittingItems(paths, repository.limits.maxBytes), total: gone.length };
  });
  return formatPruned(outcome);
}

function formatPruned(pruned: PrunedWorktrees): Result {
  const lines = [`Pruned ${formatCount(pruned.total, 'work tree')}`, ...pruned.paths.map(escapeInvisible)];
  return Result.of(pruned, lines.join('\n'));
}
