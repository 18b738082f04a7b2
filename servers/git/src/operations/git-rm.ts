import { Flag, TextList, ToolError, type Preview, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { requireNoneBehindLinks } from '../repository/behind-links.ts';
import { changeLine, changesIn, type Changes } from '../repository/uncommitted.ts';
import { headOf } from '../repository/head.ts';
import { keepBefore, recovering } from '../repository/keep-changes.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { trackedFiles } from '../repository/tracked-files.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { quoted } from '../text/visible.ts';

export class GitRmInput extends ConfirmInput {
  @TextList('Tracked files, or directories with `recursive`', { minItems: 1, maxItems: 1000 }) paths!: string[];
  @Flag('Only stop tracking them; the files stay') cached = false;
  @Flag() recursive = false;
}

/** What is not tracked any more. */
export interface RemovedFiles {
  readonly removed: readonly string[];
  /** Of all that was removed, listed or not. */
  readonly total: number;
  /** A command that brings back what had changed; absent where HEAD has all. */
  readonly recover_with?: string;
}

/**
 * Removes files from the index and the work tree. Where they have changes that are not committed, that is confirmed, and they
 * are kept.
 *
 * @throws ToolError PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH for a submodule, INVALID_ARGUMENTS for a directory,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, NO_WORK_TREE, LOCKED
 */
export async function gitRm(repository: Repository, input: GitRmInput, context: RequestContext): Promise<RemovedFiles | Preview> {
  requireWorkTree(repository);
  const paths = pathsInside(repository, input.paths);
  await requireRemovable(repository, paths, input);
  return whenConfirmed(
    { repository, input, context },
    async () => {
      const { entries, fingerprint } = await changedFiles(repository, input, paths);
      if (entries.length === 0) return undefined;
      return {
        question: `Remove files with changes that are not committed?`,
        lost: entries.map(changeLine),
        recoverWith: `${recovering('KEPT', paths)}, where KEPT is the commit that the result will name`,
        seen: { changes: fingerprint },
      };
    },
    async (loss) => {
      const { oid: head } = await headOf(repository);
      const message = 'before files were removed';
      const kept = loss === undefined ? undefined : await keepBefore(repository, { head, message, paths });
      const removed = await requireRemovable(repository, paths, input);
      const flags = ['--quiet', '--force', '-r', ...(input.cached ? ['--cached'] : [])];
      await repository.write(['rm', ...flags, '--', ...paths]);
      return {
        removed: firstThatFit(removed.slice(0, repository.limits.maxEntries), repository.limits.maxBytes, 'removed '.length),
        total: removed.length,
        ...(kept !== undefined && { recover_with: recovering(kept, paths) }),
      };
    },
  );
}

/** Where the files stay, so do their changes. */
async function changedFiles(repository: Repository, { cached }: GitRmInput, paths: readonly string[]): Promise<Changes> {
  const { entries, fingerprint } = await changesIn(repository, paths);
  return { entries: cached ? [] : entries.filter(({ unstaged }) => unstaged !== 'deleted'), fingerprint };
}

/** git looks into a submodule before it removes it, by another git in it, and nobody looked at the configuration there. */
async function requireRemovable(
  repository: Repository,
  paths: readonly string[],
  { cached, recursive }: GitRmInput,
): Promise<readonly string[]> {
  const tracked = await trackedFiles(repository, paths);
  const submodule = tracked.find(({ isSubmodule }) => isSubmodule);
  if (submodule !== undefined)
    throw new ToolError('INVALID_PATH', `${quoted(submodule.path)} is a submodule, which this does not remove`);
  const names = new Set(tracked.map((file) => file.path));
  const directory = paths.find((each) => !names.has(each));
  if (!recursive && directory !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${quoted(directory)} is a directory`, {
      hint: 'say `recursive` to remove all in it',
    });
  if (!cached) await requireNoneBehindLinks(repository, [...names]);
  return [...names];
}
