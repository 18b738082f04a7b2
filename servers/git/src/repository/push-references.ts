import { type RequestContext, ToolError, visibleName } from '@org/mcp-decorators';

import { redacted } from '../text/redacted.ts';
import type { Configuration } from './environment.ts';
import { hooksOf } from './hooks.ts';
import { oidOf } from './object.ts';
import { parsePush, type PushedLine } from './parse/push.ts';
import { progressFlag, runRemote, runsIn, type RemoteOutput } from './remote-run.ts';
import { remoteFailureOf } from './remote-failures.ts';
import type { Repository } from './repository.ts';

/** Where a branch goes. */
export interface Destination {
  readonly remote: string;
  /** As it may be shown. */
  readonly url: string;
  readonly branch: string;
  readonly credentials: Configuration;
}

/** What is sent. */
export interface Pushing extends Destination {
  readonly set_upstream: boolean;
  readonly tags: boolean;
  readonly delete: boolean;
  /** The commit that may be overwritten, and no other; a full object name. */
  readonly seen: string | undefined;
}

type Outcome = Exclude<PushedLine['outcome'], 'rejected'>;

/** What came of it. */
export interface Pushed {
  readonly refs: { readonly ref: string; readonly outcome: Outcome; readonly before?: string; readonly after?: string }[];
  readonly messages: string[];
}

const MAX_MESSAGES = 20;

/**
 * Pushes a branch, or deletes it.
 *
 * @throws ToolError NON_FAST_FORWARD, PRECONDITION_FAILED, REMOTE_REJECTED, HOOK_FAILED, and those of {@link runRemote}
 */
export async function pushReferences(repository: Repository, pushing: Pushing, context: RequestContext): Promise<Pushed> {
  const { config } = hooksOf(repository.policy);
  const output = await runRemote(
    runsIn(repository),
    {
      command: commandOf(repository, pushing, progressFlag(context)),
      credentials: pushing.credentials,
      codes: [0, 1],
      // Full object names.
      config: { ...config, 'core.abbrev': 'no' },
    },
    context,
  );
  const lines = parsePush(output.stdout);
  const rejected = lines.filter(({ outcome }) => outcome === 'rejected');
  if (rejected.length > 0) throw rejection(rejected);
  if (output.code !== 0) throw withoutReport(repository, output);
  if (pushing.set_upstream) await follow(repository, pushing);
  return {
    refs: lines.flatMap(({ reason: _, outcome, ...line }) => (outcome === 'rejected' ? [] : [{ ...line, outcome }])),
    messages: output.messages.slice(0, MAX_MESSAGES).map((message) => visibleName(redacted(message))),
  };
}

/** Sets the upstream, because `git push --set-upstream` would write it to the copy of the configuration. */
async function follow(repository: Repository, { branch, remote }: Pushing): Promise<void> {
  const tracking = `refs/remotes/${remote}/${branch}`;
  if ((await oidOf(repository, tracking)) !== undefined)
    return void (await repository.administer(['branch', '--quiet', `--set-upstream-to=${tracking}`, '--', branch]));
  await repository.administer(['config', '--replace-all', `branch.${branch}.remote`, remote]);
  await repository.administer(['config', '--replace-all', `branch.${branch}.merge`, `refs/heads/${branch}`]);
}

function commandOf({ policy }: Repository, pushing: Pushing, progress: string): readonly string[] {
  const ref = `refs/heads/${pushing.branch}`;
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
    pushing.delete ? `:${ref}` : `${ref}:${ref}`,
    ...(pushing.tags ? ['refs/tags/*:refs/tags/*'] : []),
  ];
}

function rejection(rejected: readonly PushedLine[]): ToolError {
  const data = { refs: rejected.map(({ ref, reason }) => ({ ref, reason: visibleName(redacted(reason ?? '')) })) };
  const reasons = rejected.map(({ reason = '' }) => reason).join('\n');
  if (reasons.includes('stale info'))
    return new ToolError('PRECONDITION_FAILED', 'the remote has another commit by now than was confirmed; nothing was done', {
      hint: 'git_fetch, and look again with dry_run: true',
      data,
    });
  if (/non-fast-forward|fetch first/.test(reasons))
    return new ToolError('NON_FAST_FORWARD', 'the remote has commits that are not here', {
      hint: 'git_pull, or git_fetch and then git_merge or git_rebase; then push again',
      data,
    });
  const shown = data.refs.map(({ ref, reason }) => `${visibleName(ref)} ${reason}`).join(', ');
  return new ToolError('REMOTE_REJECTED', `the remote did not take it: ${shown}`, { data });
}

function withoutReport({ policy }: Repository, output: RemoteOutput): ToolError {
  const words = output.stderr.replaceAll(/^remote: .*$/gm, '');
  if (policy.allowHooks && /^error: failed to push some refs/m.test(words))
    return new ToolError('HOOK_FAILED', 'the hook pre-push refused it; nothing was pushed');
  return remoteFailureOf('push', output, words);
}
