import { confirmedResult, Flag, Result, Text, ToolError, escapeInvisible, type RequestContext } from '@org/mcp-decorators';

import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { requireBranchName, resolveBranch } from '../../repository/refs/branch-name.ts';
import { requireCurrentBranch } from '../../repository/refs/head.ts';
import { requireUnprotected } from '../../repository/refs/protected-branches.ts';
import { pushReferences, type PushDestination } from '../../repository/remotes/push-references.ts';
import { chooseRemote, readRemoteSettings, requireRemote } from '../../repository/remotes/remote-settings.ts';
import { requireTag } from '../../repository/refs/tags.ts';
import { requireNotCheckedOut } from '../../repository/remotes/peer.ts';
import { resolveRemoteUrl } from '../../repository/remotes/resolve-url.ts';
import type { Repository } from '../../repository/repository.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { decodeTexts, splitLines } from '../../repository/parse/fields.ts';
import { findOid } from '../../repository/refs/object.ts';
import { createRemoteRunner, runRemote } from '../../repository/remotes/remote-run.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRef } from './git-fetch.ts';
import { formatUndo, recreateBranch, type UndoStep } from '../results/undo.ts';

export class GitPushInput extends ConfirmInput {
  @Text('Name of the remote; default: the upstream, the only remote, or origin', { optional: true }) remote?: string;
  @Text('Local branch; default: the current branch', { optional: true }) branch?: string;
  @Text('Branch at the remote; default: the same name', { optional: true }) remote_branch?: string;
  @Text('Push only this tag, and no branch', { optional: true }) tag?: string;
  @Flag('Set the remote branch as upstream') set_upstream = false;
  @Flag('Also push all tags') tags = false;
  @Flag('Overwrite a remote branch that has other commits (force with lease); requires confirmation') force = false;
  @Flag('Delete the remote branch; requires confirmation') delete = false;
}

/** The outcome for one branch or tag of the remote. */
export interface PushedRef {
  /** Full name of the reference at the remote. */
  readonly ref: string;
  readonly outcome: 'new' | 'updated' | 'forced' | 'deleted' | 'up_to_date';
  readonly before?: string;
  readonly after?: string;
}

export interface PushedRefs {
  readonly remote: string;
  /** URL of the remote, with passwords and tokens redacted. */
  readonly url: string;
  readonly refs: readonly PushedRef[];
  /** New upstream branch such as `origin/main`; absent without `set_upstream`. */
  readonly upstream?: string;
  /** Messages that the remote sent. They are untrusted. */
  readonly messages: readonly string[];
  /** Backup ref that keeps the overwritten or deleted commits; absent if nothing was lost. */
  readonly backup?: string;
}

/**
 * Pushes a branch or a tag to a remote. A deletion requires confirmation, and a forced push if the remote branch would lose
 * commits. Both use `--force-with-lease` with the confirmed commit, and keep that commit under `refs/mcp-backup/`.
 *
 * Reports progress in percent.
 *
 * @throws ToolError NON_FAST_FORWARD, PROTECTED_BRANCH, REMOTE_REJECTED, HOOK_FAILED, DETACHED_HEAD, INVALID_ARGUMENTS, INVALID_REF_NAME,
 * INVALID_REVISION, REMOTE_NOT_FOUND, INVALID_URL, HOST_NOT_ALLOWED, REPO_UNTRUSTED, AUTH_REQUIRED, NETWORK, TIMEOUT,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, LOCKED
 */
export async function gitPush(repository: Repository, input: GitPushInput, context: RequestContext): Promise<Result> {
  requireCompatible(input);
  const destination = await resolveDestination(repository, input);
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    () => findLoss(repository, input, destination),
    async (loss) => {
      const seen = loss?.seen['remote'];
      const backup = seen === undefined ? undefined : await backUpCommit(repository, seen);
      const { set_upstream, tags } = input;
      const pushing = { ...destination, set_upstream, tags, delete: input.delete, seen };
      const { refs, messages } = await pushReferences(repository, pushing, context);
      const { remote, url, target } = destination;
      const upstream = set_upstream && { upstream: `${remote}/${target}` };
      return { remote, url, refs, ...upstream, messages, ...(backup !== undefined && { backup }) };
    },
  );
  return confirmedResult(outcome, formatPush);
}

/** @throws ToolError INVALID_ARGUMENTS */
function requireCompatible(input: GitPushInput): void {
  const { branch, remote_branch: target, tag, set_upstream, tags, force } = input;
  if (input.delete && [force, tags, set_upstream].includes(true))
    throw new ToolError('INVALID_ARGUMENTS', 'delete cannot be combined with force, tags or set_upstream');
  const hasOther = [branch !== undefined, target !== undefined, set_upstream, tags, force, input.delete].includes(true);
  if (tag !== undefined && hasOther)
    throw new ToolError('INVALID_ARGUMENTS', 'tag pushes one tag and cannot be combined with another parameter than remote');
}

async function resolveDestination(repository: Repository, input: GitPushInput): Promise<PushDestination> {
  const { tag } = input;
  const { branch, target } = tag === undefined ? await resolveBranches(repository, input) : { branch: '', target: '' };
  if (tag !== undefined) await requireTag(repository, tag);
  const settings = await readRemoteSettings(repository);
  const remote = requireRemote(settings, input.remote ?? chooseRemote(settings, branch));
  const { shown: url, peer } = await resolveRemoteUrl(repository, remote, 'push');
  if (peer !== undefined && tag === undefined) await requireNotCheckedOut(peer, target);
  const { credentials } = settings;
  return { remote: remote.name, url, branch, target, credentials, peer, ...(tag !== undefined && { tag }) };
}

/** Returns the local branch and the branch at the remote. */
async function resolveBranches(repository: Repository, input: GitPushInput): Promise<Pick<PushDestination, 'branch' | 'target'>> {
  const branch = input.branch ?? (await requireCurrentBranch(repository));
  const target = input.remote_branch ?? branch;
  for (const name of new Set([branch, target])) await requireBranchName(repository, name);
  if (input.force || input.delete)
    requireUnprotected(target, input.delete ? 'deleted at a remote' : 'force-pushed', repository.policy);
  return { branch, target };
}

async function findLoss(repository: Repository, input: GitPushInput, destination: PushDestination): Promise<Loss | undefined> {
  if (destination.tag !== undefined) return undefined;
  if (input.delete) return findDeleted(repository, destination);
  const local = await resolveBranch(repository, destination.branch);
  return input.force ? findOverwritten(repository, destination, local) : undefined;
}

async function findDeleted(repository: Repository, destination: PushDestination): Promise<Loss> {
  const { target, remote } = destination;
  const seen = await readRemoteTip(repository, destination);
  if (seen === undefined)
    throw new ToolError('INVALID_REVISION', `the remote has no branch ${quoteInput(target)}`, {
      hint: 'nothing to delete',
    });
  return {
    question: `Delete the branch ${target} at ${remote}, which is at ${shortOid(seen)}?`,
    lost: await listOverwrittenCommits(repository, seen, undefined),
    recoverWith: formatUndo(repository, pushAgain({ remote, target, seen, force: false })),
    seen: { remote: seen },
  };
}

async function findOverwritten(repository: Repository, destination: PushDestination, local: string): Promise<Loss | undefined> {
  const { target, remote } = destination;
  const seen = await readRemoteTip(repository, destination);
  const lost = seen === undefined ? [] : await listOverwrittenCommits(repository, seen, local);
  if (seen === undefined || lost.length === 0) return undefined;
  return {
    question: `Overwrite the branch ${target} at ${remote}: from ${shortOid(seen)} to ${shortOid(local)}?`,
    lost,
    recoverWith: formatUndo(repository, pushAgain({ remote, target, seen, force: true })),
    seen: { remote: seen, local },
  };
}

interface FormerTip {
  readonly remote: string;
  readonly target: string;
  readonly seen: string;
  readonly force: boolean;
}

/**
 * Returns the undo steps that push the former commit of a remote branch again. The tool calls push it from a new local branch,
 * and the git command pushes the commit directly.
 */
function pushAgain({ remote, target, seen, force }: FormerTip): readonly UndoStep[] {
  const branch = `recovered-${shortOid(seen)}`;
  const command = `git push ${force ? '--force ' : ''}${remote} ${seen}:refs/heads/${target}`;
  return [
    { ...recreateBranch(branch, seen), command },
    { tool: 'git_push', args: { remote, branch, remote_branch: target, ...(force && { force }) }, command: '' },
  ];
}

function formatPush(pushed: PushedRefs): Result {
  const { remote, url, refs, upstream, backup, messages } = pushed;
  const lines = [
    `Pushed to ${escapeInvisible(remote)} (${escapeInvisible(url)})`,
    ...refs.map(formatRef),
    ...(upstream === undefined ? [] : [`The upstream branch is ${escapeInvisible(upstream)}`]),
    ...(backup === undefined ? [] : [`The overwritten commits are kept as ${backup}`]),
    // The messages are for the user only: a model could read them as instructions. The text therefore contains only their number.
    ...(messages.length === 0 ? [] : [`The remote sent ${formatCount(messages.length, 'line')} of messages`]),
  ];
  return Result.of(pushed, lines.join('\n'));
}

const MAX_COMMITS = 100;

/** Returns the current commit of a branch at the remote, or `undefined` if the branch does not exist there. */
async function readRemoteTip(repository: Repository, destination: PushDestination): Promise<string | undefined> {
  const { remote, target, credentials, peer } = destination;
  const ref = `refs/heads/${target}`;
  const command = ['ls-remote', '--refs', '--', remote, ref];
  const { stdout } = await runRemote(createRemoteRunner(repository), { command, credentials, peer });
  // `ls-remote` also lists longer names that end with `ref`, so the exact name is selected.
  const line = splitLines(stdout).find((each) => each.endsWith(`\t${ref}`));
  return line?.split('\t')[0];
}

/**
 * Lists the commits that the remote branch would lose by a forced push, one line per commit, at most 100. For a deletion, lists
 * only the last commit of the branch.
 *
 * @param local the new commit of the remote branch; `undefined` if the branch would be deleted
 * @throws ToolError NON_FAST_FORWARD if the commits do not exist locally, so that they cannot be backed up
 */
async function listOverwrittenCommits(
  repository: Repository,
  seen: string,
  local: string | undefined,
): Promise<readonly string[]> {
  if ((await findOid(repository, `${seen}^{commit}`)) === undefined)
    throw new ToolError(
      'NON_FAST_FORWARD',
      `the remote branch is at commit ${shortOid(seen)}, which does not exist locally and would be lost`,
      {
        hint: 'download the commit with git_fetch, and check it before you overwrite it',
        data: { remote: seen },
      },
    );
  const others = local === undefined ? ['--max-count=1'] : [`--max-count=${MAX_COMMITS}`, `^${local}`];
  const { stdout } = await repository.read(['log', '-z', '--no-show-signature', '--format=%h %s', ...others, seen, '--']);
  return decodeTexts(stdout);
}
