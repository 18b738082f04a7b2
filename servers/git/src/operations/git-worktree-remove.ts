import { Text, ToolError, visibleName, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import type { ListedWorktree } from '../repository/parse/worktrees.ts';
import type { Repositories, CallScope } from '../repository/repositories.ts';
import type { Repository } from '../repository/repository.ts';
import { fingerprintOf } from '../repository/resolved-work.ts';
import { removeWorktree, worktreesOf } from '../repository/worktrees.ts';
import { quoted } from '../text/visible.ts';
import { gitStatus } from './git-status.ts';

export class GitWorktreeRemoveInput extends ConfirmInput {
  @Text('Its directory') path!: string;
}

/** A work tree that is gone. */
export interface RemovedWorktree {
  readonly path: string;
  readonly oid: string | undefined;
  readonly branch: string | undefined;
}

/** What is needed to find work trees, each of which is looked at before anything runs in it. */
export interface Ground {
  readonly repositories: Repositories;
  readonly scope: CallScope;
  readonly context: RequestContext;
}

/**
 * Removes a work tree with its directory; changes and untracked files in it go only if that is confirmed. The branch stays.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, NOT_FOUND, NOT_A_REPO, REPO_UNTRUSTED, CONFLICT, INVALID_ARGUMENTS, CONFIRMATION_REQUIRED,
 * PRECONDITION_FAILED, LOCKED
 */
export async function gitWorktreeRemove(
  repository: Repository,
  input: GitWorktreeRemoveInput,
  { repositories, scope, context }: Ground,
): Promise<RemovedWorktree | Preview> {
  const { real, shown } = await scope.roots.existing(input.path);
  const tree = await repositories.open(input.path, scope);
  const find = (): Promise<ListedWorktree> => removable(repository, real, input.path);
  return whenConfirmed(
    { repository, input, context },
    async () => lossOf(tree, await find(), shown),
    async (loss) => {
      const { oid, branch } = await find();
      if (branch === undefined && oid !== undefined) await backUp(repository, oid);
      await removeWorktree(repository, real, loss !== undefined);
      return { path: shown, oid, branch };
    },
  );
}

async function removable(repository: Repository, real: string, given: string): Promise<ListedWorktree> {
  const [main, ...others] = await worktreesOf(repository);
  const found = others.find((worktree) => worktree.path === real);
  if (found === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${quoted(given)} is ${main?.path === real ? 'the main' : 'no'} work tree of the repository`,
      {
        hint: 'git_worktree_list names those that can be removed',
      },
    );
  if (found.locked === undefined) return found;
  throw new ToolError('CONFLICT', `the work tree is locked${found.locked === '' ? '' : `: ${visibleName(found.locked)}`}`, {
    hint: 'git worktree unlock lets it go',
  });
}

async function lossOf(tree: Repository, { oid, branch = '' }: ListedWorktree, shown: string): Promise<Loss | undefined> {
  const { entries, counts, operation } = await gitStatus(tree, { untracked: 'normal' });
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
      content: oid === undefined ? '' : await fingerprintOf(tree, oid),
    },
  };
}
