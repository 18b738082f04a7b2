import { confirmedResult, Result, Text, ToolError, escapeInvisible, type RequestContext } from '@org/mcp-decorators';

import { fingerprintDiff } from '../../repository/integrate/resolved-work.ts';
import type { ListedWorktree } from '../../repository/parse/worktrees.ts';
import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { readWorktrees, removeWorktree } from '../../repository/refs/worktrees.ts';
import type { CallScope, Repositories } from '../../repository/repositories.ts';
import type { Repository } from '../../repository/repository.ts';
import { quoteInput } from '../../text/visible.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { collectStatus } from '../inspect/git-status.ts';

export class GitWorktreeRemoveInput extends ConfirmInput {
  @Text('Directory of the work tree') path!: string;
}

/** A removed work tree. */
interface RemovedWorktree {
  readonly path: string;
  readonly oid: string | undefined;
  readonly branch: string | undefined;
}

/** The context in which the work tree is opened and verified as a repository. */
interface WorktreeCall {
  readonly repositories: Repositories;
  readonly scope: CallScope;
  readonly context: RequestContext;
}

/**
 * Removes a work tree and its directory. Losing changes or untracked files requires confirmation. The branch remains.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, NOT_FOUND, NOT_A_REPO, REPO_UNTRUSTED, CONFLICT, INVALID_ARGUMENTS, CONFIRMATION_REQUIRED,
 * PRECONDITION_FAILED, LOCKED
 */
export async function gitWorktreeRemove(
  repository: Repository,
  input: GitWorktreeRemoveInput,
  { repositories, scope, context }: WorktreeCall,
): Promise<Result> {
  const { real, shown } = await scope.roots.resolveExisting(input.path);
  const tree = await repositories.open(input.path, scope);
  const find = (): Promise<ListedWorktree> => requireRemovable(repository, real, input.path);
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => findLoss(tree, await find(), shown),
    async (loss) => {
      const { oid, branch } = await find();
      if (branch === undefined && oid !== undefined) await backUpCommit(repository, oid);
      await removeWorktree(repository, real, loss !== undefined);
      return { path: shown, oid, branch };
    },
  );
  return confirmedResult(outcome, formatRemovedWorktree);
}

async function requireRemovable(repository: Repository, real: string, given: string): Promise<ListedWorktree> {
  const [main, ...others] = await readWorktrees(repository);
  const found = others.find((worktree) => worktree.path === real);
  if (found === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${quoteInput(given)} is ${main?.path === real ? 'the main' : 'not a'} work tree of the repository`,
      {
        hint: 'git_worktree_list lists the work trees',
      },
    );
  if (found.locked === undefined) return found;
  throw new ToolError('CONFLICT', `the work tree is locked${found.locked === '' ? '' : `: ${escapeInvisible(found.locked)}`}`, {
    hint: 'unlock the work tree with git worktree unlock',
  });
}

async function findLoss(tree: Repository, { oid, branch = '' }: ListedWorktree, shown: string): Promise<Loss | undefined> {
  const { entries, counts, operation } = await collectStatus(tree, { untracked: 'normal' });
  if (entries.length === 0) return undefined;
  const total = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  return {
    question: `Remove the work tree ${shown} with its changes (${total.join(', ')})?`,
    lost: entries.map((entry) => entry.path),
    seen: {
      oid: oid ?? '',
      branch,
      operation: operation ?? '',
      status: JSON.stringify(entries),
      content: oid === undefined ? '' : await fingerprintDiff(tree, oid),
    },
  };
}

function formatRemovedWorktree(removed: RemovedWorktree): Result {
  return Result.of(removed, `Removed ${escapeInvisible(removed.path)}`);
}
