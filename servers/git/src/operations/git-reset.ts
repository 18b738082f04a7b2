import { OneOf, Text, TextList, ToolError, type Preview, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import { changeLine, changesIn, inTheWayOf, stampsOf } from '../repository/uncommitted.ts';
import { lostCommits } from '../repository/lost-commits.ts';
import { headOf } from '../repository/head.ts';
import { requireNoIgnoredInTheWay } from '../repository/ignored-in-the-way.ts';
import { keepBefore } from '../repository/keep-changes.ts';
import { decodeList } from '../repository/parse/fields.ts';
import { pathsInside } from '../repository/paths.ts';
import { operationIn } from '../repository/operation.ts';
import type { Repository } from '../repository/repository.ts';
import { requireCommits, resolveCommit } from '../repository/revision.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { short } from '../text/short.ts';

const MODES = ['soft', 'mixed', 'hard', 'keep'] as const;

type Mode = (typeof MODES)[number];

export class GitResetInput extends ConfirmInput {
  @TextList('Only unstage these files or directories', { optional: true, maxItems: 1000 }) paths?: string[];

  @OneOf(
    MODES,
    'soft: move the branch alone; mixed: and unstage all; keep: and the files that differ; hard: and discard all changes',
  )
  mode: Mode = 'mixed';

  @Text('Branch, tag or commit to reset to; default: HEAD', { optional: true }) target?: string;
}

/** What a reset did. */
export interface ResetOutcome {
  /** Commit of HEAD before; absent before the first commit. */
  readonly before?: string;
  readonly after?: string;
  /** A command that brings back what was there. */
  readonly recover_with?: string;
  /** Files that were staged before, the first of them. */
  readonly unstaged?: readonly string[];
  /** How many files were staged before. */
  readonly total?: number;
}

/** Operations that end where HEAD is reset, unless only files are. */
const ENDED = new Set(['merge', 'cherry-pick', 'revert']);

/**
 * Unstages everything, or some paths; or moves the branch to a commit. A hard reset is confirmed, and what it discards is kept.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, CONFLICT, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, PATH_NOT_FOUND,
 * PATH_OUTSIDE_ROOTS, INVALID_ARGUMENTS, NO_WORK_TREE, LOCKED
 */
export async function gitReset(
  repository: Repository,
  input: GitResetInput,
  context: RequestContext,
): Promise<ResetOutcome | Preview> {
  requireWorkTree(repository);
  if (input.paths !== undefined && input.paths.length > 0) return resetPaths(repository, input, input.paths);
  const target = input.target === undefined ? undefined : await resolveCommit(repository, input.target);
  if (input.mode !== 'mixed') await requireCommits(repository);
  return whenConfirmed(
    { repository, input, context },
    () => lossOf(repository, input.mode, target),
    () => (input.mode === 'hard' ? resetHard(repository, target) : resetSoftly(repository, input.mode, target)),
  );
}

async function resetPaths(
  repository: Repository,
  { mode, target }: GitResetInput,
  given: readonly string[],
): Promise<ResetOutcome> {
  if (mode !== 'mixed')
    throw new ToolError('INVALID_ARGUMENTS', `paths are only unstaged: they do not go with the mode ${mode}`, {
      hint: 'git_restore sets files in the work tree',
    });
  const paths = pathsInside(repository, given);
  const source = target === undefined ? undefined : await resolveCommit(repository, target);
  return repository.alone(async () => {
    const { oid } = await headOf(repository);
    const listed = await stagedAmong(repository, source ?? oid, paths);
    // A path is wrong only if it is neither staged nor in the index.
    if (listed.total === 0) await repository.read(['ls-files', '--error-unmatch', '--', ...paths]);
    await repository.write(['reset', '--quiet', '--mixed', ...(source === undefined ? [] : [source]), '--', ...paths]);
    return { ...(oid !== undefined && { before: oid, after: oid }), ...listed };
  });
}

async function lossOf(repository: Repository, mode: Mode, target: string | undefined): Promise<Loss | undefined> {
  const operation = (await operationIn(repository))?.kind;
  const ended = operation !== undefined && ENDED.has(operation) && mode !== 'soft' ? [`the ${operation} in progress`] : [];
  if (mode === 'hard') return hardLoss(repository, target, ended);
  if (ended.length === 0) return undefined;
  return { question: `Reset, and end the ${operation ?? ''} in progress?`, lost: ended, seen: { target: target ?? '' } };
}

async function hardLoss(repository: Repository, target: string | undefined, ended: readonly string[]): Promise<Loss | undefined> {
  const head = await headOf(repository);
  const { branch = 'the detached HEAD', oid: from = '' } = head;
  const to = target ?? from;
  const [{ entries, fingerprint }, inTheWay, commits] = await Promise.all([
    changesIn(repository),
    inTheWayOf(repository, to),
    lostCommits(repository, head, to),
  ]);
  const changes = [...entries.map(changeLine), ...inTheWay.map((each) => `${each} (untracked)`)];
  // Only commits stay in the object database, so what a long list cuts off is commits.
  const lost = [...changes, ...ended, ...commits];
  if (lost.length === 0) return undefined;
  const kept = changes.length === 0 ? '' : ', then git stash apply with the commit that the result will name';
  return {
    question: `Reset ${branch} from ${short(from)} to ${short(to)}, and discard all changes of tracked files?`,
    lost,
    recoverWith: `git reset --hard ${from}${kept}`,
    seen: { target: to, changes: fingerprint, inTheWay: await stampsOf(repository, inTheWay) },
  };
}

async function resetHard(repository: Repository, target: string | undefined): Promise<ResetOutcome> {
  const { oid: before = '' } = await headOf(repository);
  const after = target ?? before;
  const [{ entries }, untracked] = await Promise.all([changesIn(repository), inTheWayOf(repository, after)]);
  const kept =
    entries.length + untracked.length > 0
      ? await keepBefore(repository, { head: before, message: 'before a hard reset', untracked })
      : undefined;
  if (before !== after) await backUp(repository, before);
  await repository.write(['reset', '--quiet', '--hard', '--no-recurse-submodules', after]);
  const commands = [
    ...(before === after ? [] : [`git reset --hard ${before}`]),
    ...(kept === undefined ? [] : [`git stash apply --index ${kept}`]),
  ];
  return { before, after, ...(commands.length > 0 && { recover_with: commands.join(' && ') }) };
}

async function resetSoftly(repository: Repository, mode: Mode, target: string | undefined): Promise<ResetOutcome> {
  const { oid: before } = await headOf(repository);
  const after = target ?? before;
  if (mode === 'keep') await requireNoIgnoredInTheWay(repository, [`${after} ${before}`]);
  const listed = mode === 'mixed' ? await stagedAmong(repository, before, []) : {};
  const to = target === undefined ? [] : [target];
  await repository.write(['reset', '--quiet', `--${mode}`, '--no-recurse-submodules', ...to, '--']);
  return {
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && before !== after && { recover_with: `git reset --${mode} ${before}` }),
    ...listed,
  };
}

/** Without a commit, all that is in the index is staged. */
async function stagedAmong(
  repository: Repository,
  source: string | undefined,
  paths: readonly string[],
): Promise<{ readonly unstaged: readonly string[]; readonly total: number }> {
  const flags = ['--cached', '-z', '--name-only', '--no-renames', '--ignore-submodules=dirty'];
  const command = source === undefined ? ['ls-files', '-z'] : ['diff-index', ...flags, source];
  const { stdout } = await repository.read([...command, '--', ...paths]);
  const { maxEntries, maxBytes } = repository.limits;
  const names = [...new Set(decodeList(stdout))];
  return { unstaged: firstThatFit(names.slice(0, maxEntries), maxBytes, 'unstaged '.length), total: names.length };
}
