import { confirmedResult, Flag, Text, type Preview, type RequestContext, type Result } from '@org/mcp-decorators';

import { requireIdleHead, type CommitHead } from '../../repository/integrate/idle-head.ts';
import { buildVerifyFlags, runIntegration, STRATEGY } from '../../repository/integrate/integrate.ts';
import { requireNoLocalChanges } from '../../repository/integrate/local-changes.ts';
import { undoIfCancelled } from '../../repository/integrate/undo-cancelled.ts';
import { decodeBody } from '../../repository/parse/fields.ts';
import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { isProtected } from '../../repository/refs/protected-branches.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireNoIgnoredFilesInTheWay } from '../../repository/work-tree/files-in-the-way.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatIntegration, readOutcome, type IntegrationResult } from './integration-result.ts';
import { formatUndo, resetTo } from '../results/undo.ts';

export class GitRebaseInput extends ConfirmInput {
  @Text('Branch or commit to rebase the current branch onto') upstream!: string;
  @Text('New base, if it differs from upstream', { optional: true }) onto?: string;
  @Flag('Recreate merge commits; default: make the history linear') rebase_merges = false;
}

interface RebasePlan {
  readonly head: CommitHead;
  readonly upstream: string;
  readonly onto: string;
}

/**
 * Rebases the current branch onto a commit. Never opens an editor. Rewriting pushed commits or a protected branch requires confirmation.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, INVALID_REVISION,
 * EMPTY_REPO, NO_WORK_TREE, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export async function gitRebase(repository: Repository, input: GitRebaseInput, context: RequestContext): Promise<Result> {
  return confirmedResult(await rebaseBranch(repository, input, context), formatIntegration);
}

export function rebaseBranch(
  repository: Repository,
  input: GitRebaseInput,
  context: RequestContext,
): Promise<IntegrationResult | Preview> {
  return runWhenConfirmed(
    { repository, input, context },
    async () => findLoss(repository, await planRebase(repository, input)),
    async (loss) => rebase(repository, await planRebase(repository, input), { input, isRisky: loss !== undefined }),
  );
}

async function planRebase(repository: Repository, { upstream, onto }: GitRebaseInput): Promise<RebasePlan> {
  const head = await requireIdleHead(repository);
  await requireNoLocalChanges(repository);
  const base = await resolveCommit(repository, upstream);
  return { head, upstream: base, onto: onto === undefined ? base : await resolveCommit(repository, onto) };
}

async function rebase(
  repository: Repository,
  { head, upstream, onto }: RebasePlan,
  { input, isRisky }: { readonly input: GitRebaseInput; readonly isRisky: boolean },
): Promise<IntegrationResult> {
  if (isRisky) await backUpCommit(repository, head.oid);
  const flags = [
    '--merge',
    STRATEGY,
    '--no-fork-point',
    '--no-autosquash',
    '--no-autostash',
    '--no-update-refs',
    '--no-gpg-sign',
    '--no-rerere-autoupdate',
    '--no-stat',
    ...(input.rebase_merges ? ['--rebase-merges=no-rebase-cousins'] : []),
    ...buildVerifyFlags(repository),
  ];
  const { stdout } = await repository.read(['rev-list', head.oid, `^${upstream}`, '--']);
  const own = stdout.toString('utf8').split('\n').slice(0, -1);
  const commits = [onto, ...own];
  await requireNoIgnoredFilesInTheWay(repository, [`${onto} ${head.oid}`, ...own]);
  await undoIfCancelled(repository, { before: head.oid, commits }, () =>
    runIntegration(repository, ['rebase', ...flags, `--onto=${onto}`, upstream]),
  );
  return readOutcome(repository, head.oid, (after) =>
    after === head.oid ? 'up_to_date' : after === onto ? 'fast_forward' : 'rebased',
  );
}

/**
 * Returns the commits that the rebase would rewrite, if at least one of them was pushed or the branch is protected. Such a rebase
 * requires confirmation. Returns `undefined` for any other rebase.
 */
async function findLoss(repository: Repository, { head, upstream, onto }: RebasePlan): Promise<Loss | undefined> {
  if (await isAlreadyRebased(repository, head.oid, { upstream, onto })) return undefined;
  const { own, why } = await explainRewrite(repository, head, upstream);
  if (why.length === 0) return undefined;
  const name = head.branch ?? 'the detached HEAD';
  return {
    question: `Rewrite ${formatCount(own.length, 'commit')} of ${name} on top of ${shortOid(onto)}, although ${why.join(' and ')}?`,
    lost: own,
    recoverWith: formatUndo(repository, [resetTo('keep', head.oid)]),
    seen: { head: head.oid, branch: head.branch ?? '', upstream, onto },
  };
}

/** The commits that a rewrite replaces, and the reasons for which the rewrite requires confirmation. */
interface Rewrite {
  readonly own: readonly string[];
  readonly why: readonly string[];
}

/**
 * Returns the commits of HEAD after `base`, and why rewriting them requires confirmation: some were pushed, or the branch is
 * protected. `why` is empty if no confirmation is required.
 */
export async function explainRewrite(repository: Repository, head: CommitHead, base: string): Promise<Rewrite> {
  const own = await listCommits(repository, [head.oid, `^${base}`]);
  if (own.length === 0) return { own, why: [] };
  const unpushed = await listCommits(repository, [head.oid, `^${base}`, '--not', '--remotes']);
  const isGuarded = head.branch !== undefined && isProtected(head.branch, repository.policy);
  const pushed = own.length - unpushed.length;
  const why = [
    ...(isGuarded ? ['the branch is protected'] : []),
    ...(pushed > 0 ? [`${formatCount(pushed, 'commit')} ${pushed === 1 ? 'was' : 'were'} pushed`] : []),
  ];
  return { own, why };
}

/** Returns abbreviated object name and subject of each commit, newest first. */
async function listCommits(repository: Repository, range: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repository.read(['rev-list', '--no-commit-header', '--format=commit %h %s', ...range, '--']);
  return decodeBody(stdout).split('\n').slice(0, -1);
}

/** Whether the commits already form a linear history on the new base. */
async function isAlreadyRebased(
  repository: Repository,
  head: string,
  { upstream, onto }: Pick<RebasePlan, 'upstream' | 'onto'>,
): Promise<boolean> {
  if (upstream !== onto) return false;
  const [base, merges] = await Promise.all([
    repository.read(['merge-base', onto, head], { codes: [0, 1] }),
    repository.read(['rev-list', '--merges', '--max-count=1', head, `^${onto}`, '--']),
  ]);
  return base.stdout.toString('utf8').trim() === onto && merges.stdout.length === 0;
}
