import { ToolError, escapeInvisible, type RequestContext } from '@org/mcp-decorators';

import { redactSecrets } from '../../text/redact.ts';
import { configureHooks } from '../hooks.ts';
import { parsePush, type PushedLine } from '../parse/push.ts';
import type { Configuration } from '../process/environment.ts';
import { findOid } from '../refs/object.ts';
import type { Repository } from '../repository.ts';
import type { Peer } from './peer.ts';
import { explainRemoteFailure } from './remote-failures.ts';
import { buildProgressFlag, createRemoteRunner, runRemote, type RemoteOutput } from './remote-run.ts';

/** The remote, and the reference to push to. */
export interface PushDestination {
  readonly remote: string;
  /** The URL without secrets. */
  readonly url: string;
  /** Short name of the local branch. */
  readonly branch: string;
  /** Short name of the branch at the remote. */
  readonly target: string;
  /** Short name of the tag that is pushed instead of a branch. */
  readonly tag?: string;
  readonly credentials: Configuration;
  /** The other repository, if the remote is a directory. */
  readonly peer: Peer | undefined;
}

/** A push of a branch or a tag. */
export interface PushRequest extends PushDestination {
  readonly set_upstream: boolean;
  readonly tags: boolean;
  readonly delete: boolean;
  /** Full object name of the only commit that a forced push or a deletion may replace at the remote. */
  readonly seen: string | undefined;
}

type Outcome = Exclude<PushedLine['outcome'], 'rejected'>;

/** The result of a push. */
export interface PushResult {
  readonly refs: { readonly ref: string; readonly outcome: Outcome; readonly before?: string; readonly after?: string }[];
  readonly messages: string[];
}

const MAX_MESSAGES = 20;

/**
 * Pushes a branch or a tag, or deletes a branch at the remote.
 *
 * @throws ToolError NON_FAST_FORWARD, PRECONDITION_FAILED, REMOTE_REJECTED, HOOK_FAILED, and the errors of {@link runRemote}
 */
export async function pushReferences(repository: Repository, pushing: PushRequest, context: RequestContext): Promise<PushResult> {
  const { config } = configureHooks(repository.policy);
  const output = await runRemote(
    createRemoteRunner(repository),
    {
      command: buildPushCommand(repository, pushing, buildProgressFlag(context)),
      credentials: pushing.credentials,
      peer: pushing.peer,
      codes: [0, 1],
      // Makes git print full object names.
      config: { ...config, 'core.abbrev': 'no' },
    },
    context,
  );
  const lines = parsePush(output.stdout);
  const rejected = lines.filter(({ outcome }) => outcome === 'rejected');
  if (rejected.length > 0) throw rejectionError(rejected);
  if (output.code !== 0) throw explainWithoutReport(repository, output);
  if (pushing.set_upstream) await setUpstream(repository, pushing);
  return {
    refs: lines.flatMap(({ reason: _, outcome, ...line }) => (outcome === 'rejected' ? [] : [{ ...line, outcome }])),
    messages: output.messages.slice(0, MAX_MESSAGES).map((message) => escapeInvisible(redactSecrets(message))),
  };
}

/** Sets the upstream of a branch. `git push --set-upstream` would write it to the pinned copy of the configuration. */
async function setUpstream(repository: Repository, { branch, remote, target }: PushRequest): Promise<void> {
  const tracking = `refs/remotes/${remote}/${target}`;
  if ((await findOid(repository, tracking)) !== undefined)
    return void (await repository.administer(['branch', '--quiet', `--set-upstream-to=${tracking}`, '--', branch]));
  await repository.administer(['config', '--replace-all', `branch.${branch}.remote`, remote]);
  await repository.administer(['config', '--replace-all', `branch.${branch}.merge`, `refs/heads/${target}`]);
}

function buildPushCommand({ policy }: Repository, pushing: PushRequest, progress: string): readonly string[] {
  const ref = `refs/heads/${pushing.target}`;
  return [
    'push',
    '--porcelain',
    progress,
    ...(policy.allowHooks ? [] : ['--no-verify']),
    '--no-recurse-submodules',
    '--no-follow-tags',
    ...(pushing.seen === undefined ? [] : [`--force-with-lease=${ref}:${pushing.seen}`]),
    '--',
    pushing.remote,
    formatRefspec(pushing),
    ...(pushing.tags ? ['refs/tags/*:refs/tags/*'] : []),
  ];
}

function formatRefspec({ branch, target, tag, ...pushing }: PushRequest): string {
  if (tag !== undefined) return `refs/tags/${tag}:refs/tags/${tag}`;
  return pushing.delete ? `:refs/heads/${target}` : `refs/heads/${branch}:refs/heads/${target}`;
}

function rejectionError(rejected: readonly PushedLine[]): ToolError {
  const data = { refs: rejected.map(({ ref, reason }) => ({ ref, reason: escapeInvisible(redactSecrets(reason ?? '')) })) };
  const reasons = rejected.map(({ reason = '' }) => reason).join('\n');
  if (reasons.includes('stale info'))
    return new ToolError('PRECONDITION_FAILED', 'the remote branch changed since the confirmation; nothing was pushed', {
      hint: 'run git_fetch, then check again with dry_run: true',
      data,
    });
  if (/non-fast-forward|fetch first/.test(reasons))
    return new ToolError('NON_FAST_FORWARD', 'the remote branch contains commits that the local branch does not contain', {
      hint: 'integrate these commits with git_pull, or with git_fetch and then git_merge or git_rebase, and push again; if you replaced these commits on purpose, for example by an amend, push with force',
      data,
    });
  const shown = data.refs.map(({ ref, reason }) => `${escapeInvisible(ref)} ${reason}`).join(', ');
  const hint = reasons.includes('already exists') && {
    hint: 'the remote has another tag of this name; git_push never moves a tag',
  };
  return new ToolError('REMOTE_REJECTED', `these references were not pushed: ${shown}`, { data, ...hint });
}

function explainWithoutReport({ policy }: Repository, output: RemoteOutput): ToolError {
  const words = output.stderr.replaceAll(/^remote: .*$/gm, '');
  if (policy.allowHooks && /^error: failed to push some refs/m.test(words))
    return new ToolError('HOOK_FAILED', 'the pre-push hook failed; nothing was pushed');
  return explainRemoteFailure('push', output, words);
}
