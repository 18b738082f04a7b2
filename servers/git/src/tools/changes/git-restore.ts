import { confirmedResult, Flag, Result, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';

import type { StatusEntry } from '../../repository/parse/status.ts';
import { readHead } from '../../repository/refs/head.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { readBackup, restoreBackup, type Backup } from '../../repository/work-tree/backup.ts';
import { findFilesInTheWay } from '../../repository/work-tree/files-in-the-way.ts';
import { resolvePaths, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { backUpChanges } from '../../repository/work-tree/stash-commit.ts';
import { formatChange, readUncommittedChanges, stampWorkTreeFiles } from '../../repository/work-tree/uncommitted.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, KEPT, restoreFiles } from '../results/undo.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

export class GitRestoreInput extends ConfirmInput {
  @TextList('Files or directories', { minItems: 1, maxItems: 1000 }) paths!: string[];

  @Text('Commit or backup; default: the index, or HEAD if staged', { optional: true })
  source?: string;

  @Flag('Restore the index') staged = false;
  @Flag('Restore the work tree; default: true unless staged', { optional: true }) worktree?: boolean;
}

/** The restored files. */
export interface RestoreOutcome {
  readonly paths: readonly string[];
  readonly staged: boolean;
  readonly worktree: boolean;
  /** The tool call or git command that restores the discarded changes; absent if no changes were discarded. */
  readonly recover_with?: string;
}

/** Resolved paths and source commit of a restore. */
interface RestorePlan {
  readonly paths: readonly string[];
  /** Object name of the commit; `undefined` for the index. */
  readonly source: string | undefined;
  readonly staged: boolean;
  readonly worktree: boolean;
  /** The files of the source, if the source is a backup of files. */
  readonly backup: Backup | undefined;
}

interface DiscardedChanges {
  readonly entries: readonly StatusEntry[];
  readonly inTheWay: readonly string[];
  readonly fingerprint: string;
}

/**
 * Restores files from the index, a commit or a backup. A backup restores only the files that had been changed when it was made.
 * Discarding changes of the work tree requires confirmation, and the changes are kept in a backup commit.
 *
 * @throws ToolError PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH, INVALID_REVISION, INVALID_ARGUMENTS, CONFLICT,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, NO_WORK_TREE, LOCKED
 */
export async function gitRestore(repository: Repository, input: GitRestoreInput, context: RequestContext): Promise<Result> {
  requireWorkTree(repository);
  const { staged, worktree = !staged } = input;
  if (!staged && !worktree) throw new ToolError('INVALID_ARGUMENTS', 'neither the index nor the work tree would be restored');
  const paths = resolvePaths(repository, input.paths);
  const given = input.source ?? (staged ? 'HEAD' : undefined);
  const source = given === undefined ? undefined : await resolveCommit(repository, given);
  const backup = source === undefined ? undefined : await readBackup(repository, source, paths);
  const restoring = { paths, source, staged, worktree, backup };
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    () => findLoss(repository, restoring),
    () => restore(repository, restoring),
  );
  return confirmedResult(outcome, formatRestored);
}

async function findLoss(repository: Repository, restoring: RestorePlan): Promise<Loss | undefined> {
  const { entries, inTheWay, fingerprint } = await findDiscarded(repository, restoring);
  const lost = [...entries.map(formatChange), ...inTheWay.map((each) => `${each} (untracked)`)];
  if (lost.length === 0) return undefined;
  const { paths, source } = restoring;
  return {
    question: `Discard the changes to ${lost.length === 1 ? 'this file' : `these ${lost.length} files`}?`,
    lost,
    recoverWith: formatUndo(repository, [restoreFiles(KEPT, paths)]),
    seen: { source: source ?? '', changes: fingerprint, inTheWay: await stampWorkTreeFiles(repository, inTheWay) },
  };
}

/**
 * Returns the changes that would be lost, because afterwards neither a commit nor the index would contain them. Staged changes
 * survive if only the work tree is restored.
 */
async function findDiscarded(
  repository: Repository,
  { paths, source, staged, worktree, backup }: RestorePlan,
): Promise<DiscardedChanges> {
  if (!worktree) return { entries: [], inTheWay: [], fingerprint: '' };
  const [{ entries, fingerprint }, inTheWay] = await Promise.all([
    readUncommittedChanges(repository, paths),
    source === undefined ? [] : findFilesInTheWay(repository, source, paths),
  ]);
  const isRestored = backup === undefined ? () => true : (path: string) => listRestored(backup).has(path);
  const others = backup?.untracked === undefined ? [] : await findFilesInTheWay(repository, backup.untracked.source, paths);
  // Restoring a deleted file loses nothing.
  const changed = entries.filter(
    ({ unstaged, staged: kind, conflict }) =>
      conflict === true ||
      (unstaged !== undefined && unstaged !== 'deleted') ||
      (staged && kind !== undefined && kind !== 'deleted'),
  );
  return {
    entries: changed.filter(({ path }) => isRestored(path)),
    inTheWay: [...new Set([...inTheWay, ...others])].filter(isRestored),
    fingerprint,
  };
}

function listRestored({ workTree, deleted, staged, untracked }: Backup): ReadonlySet<string> {
  return new Set([...workTree.files, ...deleted, ...(staged?.files ?? []), ...(untracked?.files ?? [])]);
}

async function restore(repository: Repository, restoring: RestorePlan): Promise<RestoreOutcome> {
  const { paths, source, staged, worktree } = restoring;
  const { entries, inTheWay } = await findDiscarded(repository, restoring);
  const { oid: head } = await readHead(repository);
  const loses = entries.length + inTheWay.length > 0;
  const kept = loses
    ? await backUpChanges(repository, { head, message: 'before files were restored', paths, files: inTheWay })
    : undefined;
  const outcome = {
    paths,
    staged,
    worktree,
    ...(kept !== undefined && { recover_with: formatUndo(repository, [restoreFiles(kept, paths)]) }),
  };
  if (restoring.backup !== undefined) {
    await restoreBackup(repository, restoring.backup, restoring);
    return outcome;
  }
  const flags = [
    ...(source === undefined ? [] : [`--source=${source}`]),
    ...(staged ? ['--staged'] : []),
    ...(worktree ? ['--worktree'] : []),
  ];
  await repository.write(['restore', '--quiet', '--no-recurse-submodules', ...flags, '--', ...paths]);
  return outcome;
}

function formatRestored(restored: RestoreOutcome): Result {
  const where = [...(restored.staged ? ['the index'] : []), ...(restored.worktree ? ['the work tree'] : [])].join(' and ');
  return formatRecovery(restored, `Restored in ${where}: ${restored.paths.map(formatPath).join(', ')}`);
}
