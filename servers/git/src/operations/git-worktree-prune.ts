import { Integer, TextList } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';
import type { Roots } from '@org/mcp-roots';

import { backUp } from '../repository/backup-ref.ts';
import type { Repository } from '../repository/repository.ts';
import { shownInside, worktreesOf } from '../repository/worktrees.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitWorktreePruneInput extends RepositoryInput {}

/** Work trees that git forgot. */
export class PrunedWorktrees {
  @TextList('Where they were, of those inside the allowed directories') paths!: string[];
  @Integer() total!: number;
}

/**
 * Forgets work trees whose directories are gone, but not those that are locked. A commit that one of them had checked out without a
 * branch is kept under a backup reference.
 *
 * @throws ToolError LOCKED
 */
export function gitWorktreePrune(repository: Repository, roots: Roots): Promise<PrunedWorktrees> {
  return repository.alone(async () => {
    const gone = (await worktreesOf(repository)).filter(({ prunable, locked }) => prunable !== undefined && locked === undefined);
    for (const { oid, branch } of gone) if (oid !== undefined && branch === undefined) await backUp(repository, oid);
    await repository.administer(['worktree', 'prune', '--expire=now']);
    const shown = await Promise.all(gone.map(({ path }) => shownInside(roots, path)));
    const paths = shown.filter((path) => path !== undefined);
    return { paths: firstThatFit(paths, repository.limits.maxBytes), total: gone.length };
  });
}
