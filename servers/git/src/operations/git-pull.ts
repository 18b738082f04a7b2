import { isPreview, OneOf, Text, ToolError, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { isAncestor } from '../repository/ancestry.ts';
import { existingBranch } from '../repository/branch-name.ts';
import { requireCurrentBranch } from '../repository/head.ts';
import { join, verifyFlags, withoutOptions } from '../repository/joining.ts';
import { readRemoteSettings, usualRemote } from '../repository/remote-settings.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { undoneIfCancelled } from '../repository/undo-cancelled.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { counted } from '../text/counted.ts';
import { quoted } from '../text/visible.ts';
import { gitFetch, GitFetchInput } from './git-fetch.ts';
import { GitMergeInput, merge } from './git-merge.ts';
import { gitRebase, GitRebaseInput } from './git-rebase.ts';
import type { JoinedHistory, JoinOutcome } from './joined-history.ts';

const MODES = ['ff_only', 'merge', 'rebase'] as const;

export class GitPullInput extends ConfirmInput {
  @Text("Name of a remote; default: the current branch's, else origin", { optional: true }) remote?: string;
  @Text("Branch of the remote; default: the current branch's upstream", { optional: true }) branch?: string;

  @OneOf(MODES, 'What becomes of commits that only the current branch has: ff_only refuses')
  mode: (typeof MODES)[number] = 'ff_only';
}

/** What the current branch got. */
export interface PulledCommits {
  readonly outcome: JoinOutcome;
  readonly branch: string;
  readonly remote: string;
  readonly url: string;
  /** Absent if the branch had no commit. */
  readonly before?: string;
  readonly after: string;
  /** New ones on the branch, without those that were made to join them. */
  readonly commits: number;
  /** A command that goes back. */
  readonly recover_with?: string;
}

/**
 * Fetches a branch and moves the current one, and the work tree, forward to it. A branch that has commits of its own stays, unless it is
 * to be merged or rebased: then that is done as by git_merge or git_rebase.
 *
 * Reports progress in hundredths.
 *
 * @throws ToolError NON_FAST_FORWARD, DETACHED_HEAD, NO_UPSTREAM, NO_WORK_TREE, CONFLICT where local changes are in the way, REMOTE_NOT_FOUND,
 * INVALID_REF_NAME, INVALID_REVISION, INVALID_URL, HOST_NOT_ALLOWED, REPO_UNTRUSTED, AUTH_REQUIRED, NETWORK, TIMEOUT, UNSAFE_OBJECTS, LOCKED
 */
export async function gitPull(
  repository: Repository,
  input: GitPullInput,
  context: RequestContext,
): Promise<PulledCommits | Preview> {
  requireWorkTree(repository);
  const branch = await requireCurrentBranch(repository);
  const source = await sourceOf(repository, branch, input);
  const { remote, url } = await gitFetch(repository, Object.assign(new GitFetchInput(), source), context);
  const revision = `refs/remotes/${remote}/${source.branch}`;
  const theirs = await resolveCommit(repository, revision);
  const before = await existingBranch(repository, branch);
  const commits = await countBetween(repository, before, theirs);
  const joined = await joinTo(repository, { branch, revision, theirs, before }, { input, context });
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

/** What a branch is to be joined to. */
interface Tip {
  readonly branch: string;
  /** Full name of the remote-tracking branch. */
  readonly revision: string;
  readonly theirs: string;
  readonly before: string | undefined;
}

type Joined = Pick<JoinedHistory, 'outcome' | 'after' | 'recover_with'>;

interface Call {
  readonly input: GitPullInput;
  readonly context: RequestContext;
}

async function joinTo(repository: Repository, tip: Tip, { input, context }: Call): Promise<Joined | Preview> {
  const { dry_run, confirm_token, mode } = input;
  const requireSame = async (): Promise<undefined> => {
    if ((await requireCurrentBranch(repository)) !== tip.branch)
      throw new ToolError('PRECONDITION_FAILED', 'another branch was switched to meanwhile', { hint: 'pull again' });
  };
  if (mode === 'rebase' && tip.before !== undefined) {
    await requireSame();
    const rebasing = { upstream: tip.theirs, dry_run, ...(confirm_token !== undefined && { confirm_token }) };
    return gitRebase(repository, Object.assign(new GitRebaseInput(), rebasing), context);
  }
  return whenConfirmed({ repository, input, context }, requireSame, () =>
    mode === 'merge' && tip.before !== undefined
      ? merge(repository, Object.assign(new GitMergeInput(), { revision: tip.revision }))
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

async function moveForward(repository: Repository, { branch, before, theirs }: Tip): Promise<Joined> {
  const count = await countBetween(repository, before, theirs);
  if (count === 0) return { outcome: 'up_to_date', after: before ?? theirs };
  if (before !== undefined && !(await isAncestor(repository, before, theirs))) {
    const own = await countBetween(repository, theirs, before);
    throw new ToolError(
      'NON_FAST_FORWARD',
      `the branch has ${counted(own, 'commit')} that the remote has not, and the remote ${count} that it has not`,
      {
        hint: `mode merge or rebase joins them, as does git_merge or git_rebase with ${theirs}: it is fetched already`,
        data: { ahead: own, behind: count, oid: theirs },
      },
    );
  }
  const forward = (): Promise<void> =>
    join(repository, ['merge', ...FLAGS, ...verifyFlags(repository), theirs], withoutOptions(branch));
  await (before === undefined ? forward() : undoneIfCancelled(repository, { before, commits: [theirs] }, forward));
  return { outcome: 'fast_forward', after: theirs };
}

async function countBetween(repository: Repository, from: string | undefined, to: string): Promise<number> {
  const { stdout } = await repository.read(['rev-list', '--count', to, ...(from === undefined ? [] : [`^${from}`])]);
  return Number(stdout.toString('utf8').trim());
}

async function sourceOf(
  repository: Repository,
  branch: string,
  input: GitPullInput,
): Promise<{ readonly remote: string; readonly branch: string; readonly repo_path?: string }> {
  const settings = await readRemoteSettings(repository);
  const upstream = settings.upstreams.get(branch);
  const remote = input.remote ?? usualRemote(settings, branch);
  const followed = upstream?.remote === remote ? /^refs\/heads\/(.+)$/s.exec(upstream.merge ?? '')?.[1] : undefined;
  const wanted = input.branch ?? followed;
  if (wanted !== undefined) return { remote, branch: wanted };
  throw new ToolError('NO_UPSTREAM', `${quoted(branch)} follows no branch of ${quoted(remote)}`, {
    hint: 'name the branch; git_push with set_upstream makes it follow one',
  });
}
