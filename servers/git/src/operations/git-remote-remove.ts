import { Text, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { parseReferences, REFERENCE_FORMAT } from '../repository/parse/references.ts';
import { readRemoteSettings, requireRemote } from '../repository/remote-settings.ts';
import type { Repository } from '../repository/repository.ts';
import { short } from '../text/short.ts';
import { quoted } from '../text/visible.ts';
import { shownRemote, type Remote } from './git-remote-list.ts';

export class GitRemoteRemoveInput extends ConfirmInput {
  @Text('Name of the remote') name!: string;
}

/**
 * Removes a remote, with its remote-tracking branches and what branches say about it, once that is confirmed.
 *
 * @throws ToolError REMOTE_NOT_FOUND, INVALID_REF_NAME, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, REPO_UNTRUSTED, LOCKED
 */
export async function gitRemoteRemove(
  repository: Repository,
  input: GitRemoteRemoveInput,
  context: RequestContext,
): Promise<Remote | Preview> {
  const remote = shownRemote(requireRemote(await readRemoteSettings(repository), input.name));
  return whenConfirmed(
    { repository, input, context },
    () => forgotten(repository, input.name),
    async () => {
      await repository.administer(['remote', 'remove', '--', input.name]);
      return remote;
    },
  );
}

async function forgotten(repository: Repository, name: string): Promise<Loss> {
  const settings = await readRemoteSettings(repository);
  const { url } = shownRemote(requireRemote(settings, name));
  const { stdout } = await repository.read(['for-each-ref', `--format=${REFERENCE_FORMAT}`, `refs/remotes/${name}/`]);
  const references = [...parseReferences(stdout)];
  const followers = [...settings.upstreams].filter(([, { remote }]) => remote === name).map(([branch]) => branch);
  return {
    question: `Remove the remote ${quoted(name)}?`,
    lost: [
      `its URL ${url}`,
      ...references.map(([ref, oid]) => `${ref.replace('refs/remotes/', '')} at ${short(oid)}`),
      ...followers.map((branch) => `the upstream of ${branch}`),
    ],
    recoverWith: `git remote add ${name} ${url} && git fetch ${name}`,
    seen: Object.fromEntries(references),
  };
}
