import { Flag, Text, ToolError, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import { branchCommit, requireBranchName } from '../repository/branch-name.ts';
import { requireCurrentBranch } from '../repository/head.ts';
import { requireUnprotected } from '../repository/protected-branches.ts';
import { pushReferences, type Destination } from '../repository/push-references.ts';
import { readRemoteSettings, requireRemote, usualRemote } from '../repository/remote-settings.ts';
import { overwrittenAt, seenAt } from '../repository/remote-tip.ts';
import { urlOf } from '../repository/remote-urls.ts';
import type { Repository } from '../repository/repository.ts';
import { short } from '../text/short.ts';
import { quoted } from '../text/visible.ts';

export class GitPushInput extends ConfirmInput {
  @Text("Name of a remote; default: the current branch's, else origin", { optional: true }) remote?: string;
  @Text('A local branch, pushed to the branch of the same name; default: the current one', { optional: true }) branch?: string;
  @Flag('Let the branch follow the remote one') set_upstream = false;
  @Flag('All tags, too') tags = false;
  @Flag('Put the branch in place of one that has other commits, once that is confirmed') force = false;
  @Flag('Delete the branch at the remote, once that is confirmed') delete = false;
}

/** What became of one branch or tag at the remote. */
export interface PushedRef {
  /** Its full name there. */
  readonly ref: string;
  readonly outcome: 'new' | 'updated' | 'forced' | 'deleted' | 'up_to_date';
  readonly before?: string;
  readonly after?: string;
}

export interface PushedRefs {
  readonly remote: string;
  /** Without what is secret in it. */
  readonly url: string;
  readonly refs: readonly PushedRef[];
  /** What the branch follows from now on, such as `origin/main`; absent without `set_upstream`. */
  readonly upstream?: string;
  /** What the remote said; nobody vouches for it. */
  readonly messages: readonly string[];
  /** The ref that keeps the commits that were overwritten. */
  readonly backup?: string;
}

/**
 * Sends a branch to a remote. Force and delete have to be confirmed, are done only to just the commit that was seen, and keep that one
 * under `refs/mcp-backup/`.
 *
 * Reports progress in hundredths.
 *
 * @throws ToolError NON_FAST_FORWARD, PROTECTED_BRANCH, REMOTE_REJECTED, HOOK_FAILED, DETACHED_HEAD, INVALID_ARGUMENTS, INVALID_REF_NAME,
 * INVALID_REVISION, REMOTE_NOT_FOUND, INVALID_URL, HOST_NOT_ALLOWED, REPO_UNTRUSTED, AUTH_REQUIRED, NETWORK, TIMEOUT,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, LOCKED
 */
export async function gitPush(
  repository: Repository,
  input: GitPushInput,
  context: RequestContext,
): Promise<PushedRefs | Preview> {
  if (input.delete && (input.force || input.tags || input.set_upstream))
    throw new ToolError('INVALID_ARGUMENTS', 'delete goes together with nothing else');
  const destination = await destinationOf(repository, input);
  return whenConfirmed(
    { repository, input, context },
    () => lossOf(repository, input, destination),
    async (loss) => {
      const seen = loss?.seen['remote'];
      const backup = seen === undefined ? undefined : await backUp(repository, seen);
      const { set_upstream, tags } = input;
      const pushing = { ...destination, set_upstream, tags, delete: input.delete, seen };
      const { refs, messages } = await pushReferences(repository, pushing, context);
      const { remote, url, branch } = destination;
      const upstream = set_upstream && { upstream: `${remote}/${branch}` };
      return { remote, url, refs, ...upstream, messages, ...(backup !== undefined && { backup }) };
    },
  );
}

async function destinationOf(repository: Repository, input: GitPushInput): Promise<Destination> {
  const branch = input.branch ?? (await requireCurrentBranch(repository));
  await requireBranchName(repository, branch);
  if (input.force || input.delete)
    requireUnprotected(branch, input.delete ? 'deleted at a remote' : 'pushed to with force', repository.policy);
  const settings = await readRemoteSettings(repository);
  const remote = requireRemote(settings, input.remote ?? usualRemote(settings, branch));
  const { shown: url } = await urlOf(repository, remote, 'push');
  return { remote: remote.name, url, branch, credentials: settings.credentials };
}

async function lossOf(repository: Repository, input: GitPushInput, destination: Destination): Promise<Loss | undefined> {
  if (input.delete) return deleted(repository, destination);
  const local = await branchCommit(repository, destination.branch);
  return input.force ? overwritten(repository, destination, local) : undefined;
}

async function deleted(repository: Repository, destination: Destination): Promise<Loss> {
  const { branch, remote } = destination;
  const seen = await seenAt(repository, destination);
  if (seen === undefined)
    throw new ToolError('INVALID_REVISION', `the remote has no branch ${quoted(branch)}`, { hint: 'there is nothing to delete' });
  return {
    question: `Delete the branch ${branch} at ${remote}, which is at ${short(seen)}?`,
    lost: await overwrittenAt(repository, seen, undefined),
    recoverWith: `git push ${remote} ${seen}:refs/heads/${branch}`,
    seen: { remote: seen },
  };
}

async function overwritten(repository: Repository, destination: Destination, local: string): Promise<Loss | undefined> {
  const { branch, remote } = destination;
  const seen = await seenAt(repository, destination);
  const lost = seen === undefined ? [] : await overwrittenAt(repository, seen, local);
  if (seen === undefined || lost.length === 0) return undefined;
  return {
    question: `Overwrite the branch ${branch} at ${remote}: from ${short(seen)} to ${short(local)}?`,
    lost,
    recoverWith: `git push --force ${remote} ${seen}:refs/heads/${branch}`,
    seen: { remote: seen, local },
  };
}
