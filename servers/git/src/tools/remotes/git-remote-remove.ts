import { confirmedResult, Text, type Preview, type RequestContext, type Result } from '@org/mcp-decorators';

import { parseReferences, REFERENCE_FORMAT } from '../../repository/parse/references.ts';
import { readRemoteSettings, requireRemote } from '../../repository/remotes/remote-settings.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRemoteResult, redactRemote, type Remote } from './git-remote-list.ts';
import { formatUndo } from '../results/undo.ts';

export class GitRemoteRemoveInput extends ConfirmInput {
  @Text('Name of the remote') name!: string;
}

/**
 * Removes a remote, its remote-tracking branches and the upstream settings of branches, after confirmation.
 *
 * @throws ToolError REMOTE_NOT_FOUND, INVALID_REF_NAME, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, REPO_UNTRUSTED, LOCKED
 */
export async function gitRemoteRemove(
  repository: Repository,
  input: GitRemoteRemoveInput,
  context: RequestContext,
): Promise<Result> {
  const outcome = await removeRemote(repository, input, context);
  return confirmedResult(outcome, (remote) => formatRemoteResult(remote, 'Removed'));
}

async function removeRemote(
  repository: Repository,
  input: GitRemoteRemoveInput,
  context: RequestContext,
): Promise<Remote | Preview> {
  const remote = redactRemote(requireRemote(await readRemoteSettings(repository), input.name));
  return runWhenConfirmed(
    { repository, input, context },
    () => findLoss(repository, input.name),
    async () => {
      await repository.administer(['remote', 'remove', '--', input.name]);
      return remote;
    },
  );
}

async function findLoss(repository: Repository, name: string): Promise<Loss> {
  const settings = await readRemoteSettings(repository);
  const { url } = redactRemote(requireRemote(settings, name));
  const { stdout } = await repository.read(['for-each-ref', `--format=${REFERENCE_FORMAT}`, `refs/remotes/${name}/`]);
  const references = [...parseReferences(stdout)];
  const followers = [...settings.upstreams].filter(([, { remote }]) => remote === name).map(([branch]) => branch);
  return {
    question: `Remove the remote ${quoteInput(name)}?`,
    lost: [
      `its URL ${url}`,
      ...references.map(([ref, oid]) => `${ref.replace('refs/remotes/', '')} at ${shortOid(oid)}`),
      ...followers.map((branch) => `the upstream of ${branch}`),
    ],
    recoverWith: formatUndo(repository, [
      { tool: 'git_remote_add', args: { name, url }, command: `git remote add ${name} ${url}` },
      { tool: 'git_fetch', args: { remote: name }, command: `git fetch ${name}` },
    ]),
    seen: Object.fromEntries(references),
  };
}
