import {
  confirmedResult,
  OneOf,
  Result,
  Text,
  TextList,
  ToolError,
  type Preview,
  type RequestContext,
} from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { readOperation } from '../../repository/integrate/operation.ts';
import { decodeNames } from '../../repository/parse/fields.ts';
import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { readHead } from '../../repository/refs/head.ts';
import { listLostCommits } from '../../repository/refs/lost-commits.ts';
import { requireCommits, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { findFilesInTheWay, requireNoIgnoredFilesInTheWay } from '../../repository/work-tree/files-in-the-way.ts';
import { resolvePaths, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { backUpChanges } from '../../repository/work-tree/stash-commit.ts';
import { formatChange, readUncommittedChanges, stampWorkTreeFiles } from '../../repository/work-tree/uncommitted.ts';
import { shortOid } from '../../text/format.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, KEPT, resetTo, restoreChanges } from '../results/undo.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

const MODES = ['soft', 'mixed', 'hard', 'keep'] as const;

type Mode = (typeof MODES)[number];

export class GitResetInput extends ConfirmInput {
  @TextList('Only unstage these files or directories', { optional: true, maxItems: 1000 }) paths?: string[];

  @OneOf(
    MODES,
    'soft: move the branch only; mixed: also unstage everything; keep: also update files, failing on local changes; hard: also discard all changes',
  )
  mode: Mode = 'mixed';

  @Text('Branch, tag or commit; default: HEAD', { optional: true }) target?: string;
}

/** The outcome of a reset. */
export interface ResetOutcome {
  /** Commit of HEAD before the reset; absent in a repository without commits. */
  readonly before?: string;
  readonly after?: string;
  /** The tool calls or git commands that restore the previous state. */
  readonly recover_with?: string;
  /** Files that were staged before the reset; the list may be truncated. */
  readonly unstaged?: readonly string[];
  /** Number of all files that were staged before the reset. */
  readonly total?: number;
}

/** Operations that end with a reset of HEAD, except in the mode `soft`. A reset of paths does not end these operations. */
const ENDED_BY_RESET = new Set(['merge', 'cherry-pick', 'revert']);

/**
 * Unstages everything or some paths, or moves the branch to a commit. A hard reset that loses data, and a reset that ends an operation,
 * require confirmation. The changes and commits that a hard reset discards are kept in backups.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, CONFLICT, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, PATH_NOT_FOUND,
 * PATH_OUTSIDE_ROOTS, INVALID_ARGUMENTS, NO_WORK_TREE, LOCKED
 */
export async function gitReset(repository: Repository, input: GitResetInput, context: RequestContext): Promise<Result> {
  return confirmedResult(await resetHead(repository, input, context), formatReset);
}

async function resetHead(repository: Repository, input: GitResetInput, context: RequestContext): Promise<ResetOutcome | Preview> {
  requireWorkTree(repository);
  if (input.paths !== undefined && input.paths.length > 0) return resetPaths(repository, input, input.paths);
  const target = input.target === undefined ? undefined : await resolveCommit(repository, input.target);
  if (input.mode !== 'mixed') await requireCommits(repository);
  return runWhenConfirmed(
    { repository, input, context },
    () => findLoss(repository, input.mode, target),
    () => (input.mode === 'hard' ? resetHard(repository, target) : resetSoftly(repository, input.mode, target)),
  );
}

async function resetPaths(
  repository: Repository,
  { mode, target }: GitResetInput,
  given: readonly string[],
): Promise<ResetOutcome> {
  if (mode !== 'mixed')
    throw new ToolError('INVALID_ARGUMENTS', `paths can only be unstaged: omit the mode ${mode}`, {
      hint: 'to restore files in the work tree, use git_restore',
    });
  const paths = resolvePaths(repository, given);
  const source = target === undefined ? undefined : await resolveCommit(repository, target);
  return repository.withWriteLock(async () => {
    const { oid } = await readHead(repository);
    const listed = await listStaged(repository, source ?? oid, paths);
    // A path is rejected only if it matches neither a staged change nor a file in the index.
    if (listed.total === 0) await repository.read(['ls-files', '--error-unmatch', '--', ...paths]);
    await repository.write(['reset', '--quiet', '--mixed', ...(source === undefined ? [] : [source]), '--', ...paths]);
    return { ...(oid !== undefined && { before: oid, after: oid }), ...listed };
  });
}

async function findLoss(repository: Repository, mode: Mode, target: string | undefined): Promise<Loss | undefined> {
  const operation = (await readOperation(repository))?.kind;
  const ended =
    operation !== undefined && ENDED_BY_RESET.has(operation) && mode !== 'soft' ? [`the ${operation} in progress`] : [];
  if (mode === 'hard') return findHardLoss(repository, target, ended);
  if (ended.length === 0) return undefined;
  return { question: `Reset, and end the ${operation ?? ''} in progress?`, lost: ended, seen: { target: target ?? '' } };
}

async function findHardLoss(
  repository: Repository,
  target: string | undefined,
  ended: readonly string[],
): Promise<Loss | undefined> {
  const head = await readHead(repository);
  const { branch = 'the detached HEAD', oid: from = '' } = head;
  const to = target ?? from;
  const [{ entries, fingerprint }, inTheWay, commits] = await Promise.all([
    readUncommittedChanges(repository),
    findFilesInTheWay(repository, to),
    listLostCommits(repository, head, to),
  ]);
  const changes = [...entries.map(formatChange), ...inTheWay.map((each) => `${each} (untracked)`)];
  // Commits come last, so that a truncated list omits only entries that remain in the object database.
  const lost = [...changes, ...ended, ...commits];
  if (lost.length === 0) return undefined;
  return {
    question: `Reset ${branch} from ${shortOid(from)} to ${shortOid(to)}, and discard all changes to tracked files${inTheWay.length === 0 ? '' : ' and the listed untracked files'}?`,
    lost,
    recoverWith: formatUndo(repository, [
      ...(from === to ? [] : [resetTo('hard', from)]),
      ...(changes.length === 0 ? [] : [restoreChanges(KEPT)]),
    ]),
    seen: { target: to, changes: fingerprint, inTheWay: await stampWorkTreeFiles(repository, inTheWay) },
  };
}

async function resetHard(repository: Repository, target: string | undefined): Promise<ResetOutcome> {
  const { oid: before = '' } = await readHead(repository);
  const after = target ?? before;
  const [{ entries }, untracked] = await Promise.all([readUncommittedChanges(repository), findFilesInTheWay(repository, after)]);
  const kept =
    entries.length + untracked.length > 0
      ? await backUpChanges(repository, { head: before, message: 'before a hard reset', untracked })
      : undefined;
  if (before !== after) await backUpCommit(repository, before);
  await repository.write(['reset', '--quiet', '--hard', '--no-recurse-submodules', after]);
  const steps = [...(before === after ? [] : [resetTo('hard', before)]), ...(kept === undefined ? [] : [restoreChanges(kept)])];
  return { before, after, ...(steps.length > 0 && { recover_with: formatUndo(repository, steps) }) };
}

async function resetSoftly(repository: Repository, mode: Mode, target: string | undefined): Promise<ResetOutcome> {
  const { oid: before } = await readHead(repository);
  const after = target ?? before;
  if (mode === 'keep') await requireNoIgnoredFilesInTheWay(repository, [`${after} ${before}`]);
  const listed = mode === 'mixed' ? await listStaged(repository, before, []) : {};
  const to = target === undefined ? [] : [target];
  await repository.write(['reset', '--quiet', `--${mode}`, '--no-recurse-submodules', ...to, '--']);
  return {
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && before !== after && { recover_with: formatUndo(repository, [resetTo(mode, before)]) }),
    ...listed,
  };
}

/** Lists the staged files. Before the first commit, every file in the index counts as staged. */
async function listStaged(
  repository: Repository,
  source: string | undefined,
  paths: readonly string[],
): Promise<{ readonly unstaged: readonly string[]; readonly total: number }> {
  const flags = ['--cached', '-z', '--name-only', '--no-renames', '--ignore-submodules=dirty'];
  const command = source === undefined ? ['ls-files', '-z'] : ['diff-index', ...flags, source];
  const { stdout } = await repository.read([...command, '--', ...paths]);
  const { maxEntries, maxBytes } = repository.limits;
  const names = [...new Set(decodeNames(stdout))];
  return { unstaged: takeFittingItems(names.slice(0, maxEntries), maxBytes, 'unstaged '.length), total: names.length };
}

function formatReset(reset: ResetOutcome): Result {
  const { before, after, unstaged = [], total = unstaged.length } = reset;
  const lines = [
    ...(before === after || after === undefined ? [] : [`Moved HEAD from ${shortOid(before ?? '')} to ${shortOid(after)}`]),
    ...unstaged.map((path) => `unstaged ${formatPath(path)}`),
    ...(total > unstaged.length ? [`… and ${total - unstaged.length} more`] : []),
  ];
  return formatRecovery(
    reset,
    lines.length > 0 ? lines.join('\n') : reset.unstaged ? 'Nothing was staged' : `HEAD is at ${shortOid(after ?? '')}`,
  );
}
