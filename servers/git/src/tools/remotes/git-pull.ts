import {
  confirmedResult,
  isPreview,
  OneOf,
  Result,
  Text,
  ToolError,
  escapeInvisible,
  type Preview,
  type RequestContext,
} from '@org/mcp-decorators';

import { buildVerifyFlags, clearMergeOptions, runIntegration } from '../../repository/integrate/integrate.ts';
import { undoIfCancelled } from '../../repository/integrate/undo-cancelled.ts';
import { findBranch } from '../../repository/refs/branch-name.ts';
import { requireCurrentBranch } from '../../repository/refs/head.ts';
import { isAncestor, resolveCommit } from '../../repository/refs/revision.ts';
import { chooseRemote, readRemoteSettings } from '../../repository/remotes/remote-settings.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed } from '../confirm/run-when-confirmed.ts';
import { GitMergeInput, mergeRevision } from '../integrate/git-merge.ts';
import { GitRebaseInput, rebaseBranch } from '../integrate/git-rebase.ts';
import type { IntegrationOutcome, IntegrationResult } from '../integrate/integration-result.ts';
import { formatRecovery } from '../results/result-text.ts';
import { fetchRemote, GitFetchInput } from './git-fetch.ts';

const MODES = ['ff_only', 'merge', 'rebase'] as const;

export class GitPullInput extends ConfirmInput {
  @Text('Name of the remote; default: the upstream, the only remote, or origin', { optional: true }) remote?: string;
  @Text('Remote branch; default: the upstream of the current branch', { optional: true }) branch?: string;

  @OneOf(MODES, 'ff_only (default): fail if the branches have diverged; merge or rebase: combine them')
  mode: (typeof MODES)[number] = 'ff_only';
}

/** The outcome of a pull. */
export interface PulledCommits {
  readonly outcome: IntegrationOutcome;
  readonly branch: string;
  readonly remote: string;
  readonly url: string;
  /** Commit of the branch before the pull; absent if the branch had no commit. */
  readonly before?: string;
  readonly after: string;
  /** Number of new commits on the branch, without merge commits of this pull. */
  readonly commits: number;
  /**
   * The tool call or git command that restores the state before the pull; absent if the branch did not change or had no commit.
   */
  readonly recover_with?: string;
}

/**
 * Fetches a branch and fast-forwards the current branch and the work tree to that branch. Depending on `mode`, a pull of diverged branches
 * fails, or does what git_merge or git_rebase would do.
 *
 * Reports progress in percent.
 *
 * @throws ToolError NON_FAST_FORWARD, DETACHED_HEAD, NO_UPSTREAM, NO_WORK_TREE, CONFLICT if local changes would be overwritten,
 * REMOTE_NOT_FOUND, INVALID_REF_NAME, INVALID_REVISION, INVALID_URL, HOST_NOT_ALLOWED, REPO_UNTRUSTED, AUTH_REQUIRED, NETWORK,
 * TIMEOUT, UNSAFE_OBJECTS, LOCKED, PRECONDITION_FAILED; in the modes merge and rebase also the errors of git_merge and git_rebase
 */
export async function gitPull(repository: Repository, input: GitPullInput, context: RequestContext): Promise<Result> {
  return confirmedResult(await pullBranch(repository, input, context), formatPull);
}

async function pullBranch(
  repository: Repository,
  input: GitPullInput,
  context: RequestContext,
): Promise<PulledCommits | Preview> {
  requireWorkTree(repository);
  const branch = await requireCurrentBranch(repository);
  const source = await resolveSource(repository, branch, input);
  const { remote, url } = await fetchRemote(repository, Object.assign(new GitFetchInput(), source), context);
  const revision = `refs/remotes/${remote}/${source.branch}`;
  const theirs = await resolveCommit(repository, revision);
  const before = await findBranch(repository, branch);
  const commits = await countBetween(repository, before, theirs);
  const joined = await integrate(repository, { branch, revision, theirs, before }, { input, context });
  if (isPreview(joined)) return joined;
  const { outcome, after, recover_with } = joined;
  return {
    outcome,
    branch,
    remote,
    url,
    after,
    commits,
    ...(before !== undefined && { before }),
    ...(recover_with !== undefined && { recover_with }),
  };
}

/** The current branch, and the fetched commit to integrate into it. */
interface PullTarget {
  readonly branch: string;
  /** Full name of the remote-tracking branch. */
  readonly revision: string;
  readonly theirs: string;
  readonly before: string | undefined;
}

type Integrated = Pick<IntegrationResult, 'outcome' | 'after' | 'recover_with'>;

interface PullCall {
  readonly input: GitPullInput;
  readonly context: RequestContext;
}

async function integrate(repository: Repository, tip: PullTarget, { input, context }: PullCall): Promise<Integrated | Preview> {
  const { dry_run, confirm_token, mode } = input;
  const requireSame = async (): Promise<undefined> => {
    if ((await requireCurrentBranch(repository)) !== tip.branch)
      throw new ToolError('PRECONDITION_FAILED', 'the current branch changed during the pull', { hint: 'pull again' });
  };
  if (mode === 'rebase' && tip.before !== undefined) {
    await requireSame();
    const rebasing = { upstream: tip.theirs, dry_run, ...(confirm_token !== undefined && { confirm_token }) };
    return rebaseBranch(repository, Object.assign(new GitRebaseInput(), rebasing), context);
  }
  return runWhenConfirmed({ repository, input, context }, requireSame, () =>
    mode === 'merge' && tip.before !== undefined
      ? mergeRevision(repository, Object.assign(new GitMergeInput(), { revision: tip.revision }))
      : moveForward(repository, tip),
  );
}

const FLAGS = [
  '--ff-only',
  '--commit',
  '--no-squash',
  '--quiet',
  '--no-stat',
  '--no-autostash',
  '--no-gpg-sign',
  '--no-verify-signatures',
  '--no-overwrite-ignore',
];

async function moveForward(repository: Repository, { branch, before, theirs }: PullTarget): Promise<Integrated> {
  const count = await countBetween(repository, before, theirs);
  if (count === 0) return { outcome: 'up_to_date', after: before ?? theirs };
  if (before !== undefined && !(await isAncestor(repository, before, theirs))) {
    const own = await countBetween(repository, theirs, before);
    throw new ToolError(
      'NON_FAST_FORWARD',
      `the branch has ${formatCount(own, 'commit')} that the remote branch does not have, and lacks ${formatCount(count, 'commit')} of it`,
      {
        hint: `set mode to merge or rebase, or use git_merge or git_rebase with ${theirs}, which is already fetched`,
        data: { ahead: own, behind: count, oid: theirs },
      },
    );
  }
  const forward = (): Promise<void> =>
    runIntegration(repository, ['merge', ...FLAGS, ...buildVerifyFlags(repository), theirs], clearMergeOptions(branch));
  await (before === undefined ? forward() : undoIfCancelled(repository, { before, commits: [theirs] }, forward));
  return { outcome: 'fast_forward', after: theirs };
}

async function countBetween(repository: Repository, from: string | undefined, to: string): Promise<number> {
  const { stdout } = await repository.read(['rev-list', '--count', to, ...(from === undefined ? [] : [`^${from}`])]);
  return Number(stdout.toString('utf8').trim());
}

async function resolveSource(
  repository: Repository,
  branch: string,
  input: GitPullInput,
): Promise<{ readonly remote: string; readonly branch: string; readonly repo_path?: string }> {
  const settings = await readRemoteSettings(repository);
  const upstream = settings.upstreams.get(branch);
  const remote = input.remote ?? chooseRemote(settings, branch);
  const followed = upstream?.remote === remote ? /^refs\/heads\/(.+)$/s.exec(upstream.merge ?? '')?.[1] : undefined;
  const wanted = input.branch ?? followed;
  if (wanted !== undefined) return { remote, branch: wanted };
  throw new ToolError('NO_UPSTREAM', `${quoteInput(branch)} has no upstream branch at ${quoteInput(remote)}`, {
    hint: 'set branch, or set the upstream branch by calling git_push with set_upstream',
  });
}

function formatPull(pulled: PulledCommits): Result {
  const { outcome, branch, remote, before, after, commits } = pulled;
  const from = before === undefined ? '' : ` from ${shortOid(before)}`;
  const done = outcome === 'merged' ? 'Merged into' : outcome === 'rebased' ? 'Rebased' : 'Moved';
  return formatRecovery(
    pulled,
    commits === 0
      ? `${escapeInvisible(branch)} is up to date with ${escapeInvisible(remote)}`
      : `${done} ${escapeInvisible(branch)}${from} to ${shortOid(after)}: ${formatCount(commits, 'new commit')}`,
  );
}
