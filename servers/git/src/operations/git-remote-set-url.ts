import { createHash } from 'node:crypto';

import { Flag, Text, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { readRemoteSettings, requireRemote } from '../repository/remote-settings.ts';
import { requireNoSecret, requirePermittedUrl } from '../repository/remote-url.ts';
import type { Repository } from '../repository/repository.ts';
import { redacted } from '../text/redacted.ts';
import { quoted } from '../text/visible.ts';
import { shownRemote, type Remote } from './git-remote-list.ts';

export class GitRemoteSetUrlInput extends ConfirmInput {
  @Text('Name of the remote') name!: string;
  @Text('https or ssh, without a password') url!: string;
  @Flag('Only where pushes go') push = false;
}

/**
 * Gives a remote another URL; that the old one goes has to be confirmed.
 *
 * @throws ToolError REMOTE_NOT_FOUND, INVALID_REF_NAME, INVALID_URL, HOST_NOT_ALLOWED, CONFIRMATION_REQUIRED, PRECONDITION_FAILED,
 * REPO_UNTRUSTED, LOCKED
 */
export async function gitRemoteSetUrl(
  repository: Repository,
  input: GitRemoteSetUrlInput,
  context: RequestContext,
): Promise<Remote | Preview> {
  requireNoSecret(input.url);
  requirePermittedUrl(input.url, repository.policy);
  return whenConfirmed(
    { repository, input, context },
    () => replacedUrl(repository, input),
    async () => {
      const remote = requireRemote(await readRemoteSettings(repository), input.name);
      const way = input.push ? ['--push'] : [];
      await repository.administer(['remote', 'set-url', ...way, '--', input.name, input.url]);
      // The repository is bound to the configuration at the start of the call, so reading it would return the old URL.
      return shownRemote({ ...remote, ...(input.push ? { pushUrls: [input.url] } : { urls: [input.url] }) });
    },
  );
}

async function replacedUrl(repository: Repository, { name, url, push }: GitRemoteSetUrlInput): Promise<Loss | undefined> {
  const { urls, pushUrls } = requireRemote(await readRemoteSettings(repository), name);
  const [old] = push ? pushUrls : urls;
  if (old === undefined || old === url) return undefined;
  const shown = redacted(old);
  return {
    question: `Replace the ${push ? 'push ' : ''}URL of the remote ${quoted(name)} by ${redacted(url)}?`,
    lost: [shown],
    ...(shown === old && { recoverWith: `git remote set-url ${push ? '--push ' : ''}${name} ${old}` }),
    seen: { url: fingerprint(old) },
  };
}

/** Of a URL with a password a client may see this, and nothing more. */
function fingerprint(url: string): string {
  return createHash('sha256').update(url).digest('base64url');
}
