import { Flag, Text, TextList, ToolError, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { changeLine, changesIn, inTheWayOf, stampsOf } from '../repository/uncommitted.ts';
import { headOf } from '../repository/head.ts';
import { keepBefore, recovering } from '../repository/keep-changes.ts';
import type { StatusEntry } from '../repository/parse/status.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { requireWorkTree } from '../repository/work-tree.ts';

export class GitRestoreInput extends ConfirmInput {
  @TextList('Files or directories, by name', { minItems: 1, maxItems: 1000 }) paths!: string[];

  @Text('Branch, tag or commit to take them from; default: the index, or HEAD where `staged`', { optional: true })
  source?: string;

  @Flag('Restore the index') staged = false;
  @Flag('Restore the work tree; default: unless `staged`', { optional: true }) worktree?: boolean;
}

/** What was set to what a commit or the index has. */
export interface RestoreOutcome {
  readonly paths: readonly string[];
  readonly staged: boolean;
  readonly worktree: boolean;
  /** A command that brings back what was discarded. */
  readonly recover_with?: string;
}

/** What is restored, with names that are git's own. */
interface Restoring {
  readonly paths: readonly string[];
  /** Absent for the index. */
  readonly source: string | undefined;
  readonly staged: boolean;
  readonly worktree: boolean;
}

interface Discarded {
  readonly entries: readonly StatusEntry[];
  readonly inTheWay: readonly string[];
  readonly fingerprint: string;
}

/**
 * Sets files to what the index or a commit has. Discarding what is only in the work tree is confirmed, and it is kept.
 *
 * @throws ToolError PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH, INVALID_REVISION, INVALID_ARGUMENTS, CONFLICT,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, NO_WORK_TREE, LOCKED
 */
export async function gitRestore(
  repository: Repository,
  input: GitRestoreInput,
  context: RequestContext,
): Promise<RestoreOutcome | Preview> {
  requireWorkTree(repository);
  const { staged, worktree = !staged } = input;
  if (!staged && !worktree) throw new ToolError('INVALID_ARGUMENTS', 'neither the index nor the work tree would be restored');
  const paths = pathsInside(repository, input.paths);
  const given = input.source ?? (staged ? 'HEAD' : undefined);
  const source = given === undefined ? undefined : await resolveCommit(repository, given);
  const restoring = { paths, source, staged, worktree };
  return whenConfirmed(
    { repository, input, context },
    () => lossOf(repository, restoring),
    () => restore(repository, restoring),
  );
}

async function lossOf(repository: Repository, restoring: Restoring): Promise<Loss | undefined> {
  const { entries, inTheWay, fingerprint } = await discarded(repository, restoring);
  const lost = [...entries.map(changeLine), ...inTheWay.map((each) => `${each} (untracked)`)];
  if (lost.length === 0) return undefined;
  const { paths, source } = restoring;
  return {
    question: `Discard the changes of ${lost.length === 1 ? 'this file' : `these ${lost.length} files`}?`,
    lost,
    recoverWith: `${recovering('KEPT', paths)}, where KEPT is the commit that the result will name`,
    seen: { source: source ?? '', changes: fingerprint, inTheWay: await stampsOf(repository, inTheWay) },
  };
}

/** What neither a commit nor the index has after it; what is staged stays where only the work tree is restored. */
async function discarded(repository: Repository, { paths, source, staged, worktree }: Restoring): Promise<Discarded> {
  if (!worktree) return { entries: [], inTheWay: [], fingerprint: '' };
  const [{ entries, fingerprint }, inTheWay] = await Promise.all([
    changesIn(repository, paths),
    source === undefined ? [] : inTheWayOf(repository, source, paths),
  ]);
  // A file that is deleted takes nothing with it when it comes back.
  const changed = entries.filter(
    ({ unstaged, staged: kind, conflict }) =>
      conflict === true ||
      (unstaged !== undefined && unstaged !== 'deleted') ||
      (staged && kind !== undefined && kind !== 'deleted'),
  );
  return { entries: changed, inTheWay, fingerprint };
}

async function restore(repository: Repository, restoring: Restoring): Promise<RestoreOutcome> {
  const { paths, source, staged, worktree } = restoring;
  const { entries, inTheWay } = await discarded(repository, restoring);
  const { oid: head } = await headOf(repository);
  const loses = entries.length + inTheWay.length > 0;
  const kept = loses
    ? await keepBefore(repository, { head, message: 'before files were restored', paths, files: inTheWay })
    : undefined;
  const flags = [
    ...(source === undefined ? [] : [`--source=${source}`]),
    ...(staged ? ['--staged'] : []),
    ...(worktree ? ['--worktree'] : []),
  ];
  await repository.write(['restore', '--quiet', '--no-recurse-submodules', ...flags, '--', ...paths]);
  return { paths, staged, worktree, ...(kept !== undefined && { recover_with: recovering(kept, paths) }) };
}
