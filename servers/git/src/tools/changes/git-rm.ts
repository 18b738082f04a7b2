import { confirmedResult, Flag, Result, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { readHead } from '../../repository/refs/head.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireNoFilesBehindLinks } from '../../repository/work-tree/behind-links.ts';
import { resolvePaths, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { backUpChanges } from '../../repository/work-tree/stash-commit.ts';
import { listTrackedFiles } from '../../repository/work-tree/tracked-files.ts';
import { formatChange, readUncommittedChanges, type UncommittedChanges } from '../../repository/work-tree/uncommitted.ts';
import { quoteInput } from '../../text/visible.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, KEPT, restoreFiles } from '../results/undo.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

export class GitRmInput extends ConfirmInput {
  @TextList('Tracked files; with recursive, also directories', { minItems: 1, maxItems: 1000 }) paths!: string[];
  @Flag('Only untrack the files; keep them in the work tree') cached = false;
  @Flag('Remove all tracked files of directories') recursive = false;
}

/** The removed files. */
export interface RemovedFiles {
  readonly removed: readonly string[];
  /** Number of all removed files, including those that are not listed. */
  readonly total: number;
  /** The tool call or git command that restores uncommitted changes; absent if nothing was lost. */
  readonly recover_with?: string;
}

/**
 * Removes files from the index and the work tree, or only from the index. Losing uncommitted changes requires confirmation, and
 * the changes are kept in a backup commit.
 *
 * @throws ToolError PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH for a submodule, INVALID_ARGUMENTS for a directory,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, NO_WORK_TREE, LOCKED
 */
export async function gitRm(repository: Repository, input: GitRmInput, context: RequestContext): Promise<Result> {
  requireWorkTree(repository);
  const paths = resolvePaths(repository, input.paths);
  await requireRemovable(repository, paths, input);
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => {
      const { entries, fingerprint } = await findChanged(repository, input, paths);
      if (entries.length === 0) return undefined;
      return {
        question: `Remove files with uncommitted changes?`,
        lost: entries.map(formatChange),
        recoverWith: formatUndo(repository, [restoreFiles(KEPT, paths)]),
        seen: { changes: fingerprint },
      };
    },
    async (loss) => {
      const { oid: head } = await readHead(repository);
      const message = 'before files were removed';
      const kept = loss === undefined ? undefined : await backUpChanges(repository, { head, message, paths });
      const removed = await requireRemovable(repository, paths, input);
      const flags = ['--quiet', '--force', '-r', ...(input.cached ? ['--cached'] : [])];
      await repository.write(['rm', ...flags, '--', ...paths]);
      return {
        removed: takeFittingItems(removed.slice(0, repository.limits.maxEntries), repository.limits.maxBytes, 'removed '.length),
        total: removed.length,
        ...(kept !== undefined && { recover_with: formatUndo(repository, [restoreFiles(kept, paths)]) }),
      };
    },
  );
  return confirmedResult(outcome, formatRemoved);
}

/** Returns the changes that would be lost. With `cached`, files and changes remain in the work tree, so nothing is lost. */
async function findChanged(
  repository: Repository,
  { cached }: GitRmInput,
  paths: readonly string[],
): Promise<UncommittedChanges> {
  const { entries, fingerprint } = await readUncommittedChanges(repository, paths);
  return { entries: cached ? [] : entries.filter(({ unstaged }) => unstaged !== 'deleted'), fingerprint };
}

/**
 * Returns the tracked files at or below the paths. Rejects submodules: before git removes a submodule, it runs inside the
 * submodule, whose configuration was not verified.
 *
 * @throws ToolError PATH_NOT_FOUND, INVALID_PATH, INVALID_ARGUMENTS for a directory without `recursive`
 */
async function requireRemovable(
  repository: Repository,
  paths: readonly string[],
  { cached, recursive }: GitRmInput,
): Promise<readonly string[]> {
  const tracked = await listTrackedFiles(repository, paths);
  const submodule = tracked.find(({ isSubmodule }) => isSubmodule);
  if (submodule !== undefined)
    throw new ToolError('INVALID_PATH', `${quoteInput(submodule.path)} is a submodule, which this tool does not remove`);
  const names = new Set(tracked.map((file) => file.path));
  const directory = paths.find((each) => !names.has(each));
  if (!recursive && directory !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${quoteInput(directory)} is a directory`, {
      hint: 'to remove all tracked files of a directory, set `recursive`',
    });
  if (!cached) await requireNoFilesBehindLinks(repository, [...names]);
  return [...names];
}

function formatRemoved(files: RemovedFiles): Result {
  const { removed, total } = files;
  const more = total > removed.length ? [`… and ${total - removed.length} more`] : [];
  return formatRecovery(files, [...removed.map((path) => `removed ${formatPath(path)}`), ...more].join('\n'));
}
