import { createHash } from 'node:crypto';

import { confirmedResult, Flag, Text, type Preview, type RequestContext, type Result } from '@org/mcp-decorators';

import { readRemoteSettings, requireRemote } from '../../repository/remotes/remote-settings.ts';
import { requireNoSecret } from '../../repository/remotes/remote-url.ts';
import { permitUrl } from '../../repository/remotes/resolve-url.ts';
import type { Repository } from '../../repository/repository.ts';
import { redactSecrets } from '../../text/redact.ts';
import { quoteInput } from '../../text/visible.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRemoteResult, redactRemote, type Remote } from './git-remote-list.ts';
import { formatUndo } from '../results/undo.ts';

export class GitRemoteSetUrlInput extends ConfirmInput {
  @Text('Name of the remote') name!: string;
  @Text('https or ssh URL without a password, or absolute path of a repository') url!: string;
  @Flag('Change only the URL for pushes') push = false;
}

/**
 * Changes the URL of a remote. Replacing an existing URL requires confirmation.
 *
 * @throws ToolError REMOTE_NOT_FOUND, INVALID_REF_NAME, INVALID_URL, HOST_NOT_ALLOWED, CONFIRMATION_REQUIRED, PRECONDITION_FAILED,
 * REPO_UNTRUSTED, LOCKED
 */
export async function gitRemoteSetUrl(
  repository: Repository,
  input: GitRemoteSetUrlInput,
  context: RequestContext,
): Promise<Result> {
  const outcome = await setRemoteUrl(repository, input, context);
  return confirmedResult(outcome, (remote) => formatRemoteResult(remote, 'Now'));
}

async function setRemoteUrl(
  repository: Repository,
  input: GitRemoteSetUrlInput,
  context: RequestContext,
): Promise<Remote | Preview> {
  requireNoSecret(input.url);
  await permitUrl(repository, input.url, input.name);
  return runWhenConfirmed(
    { repository, input, context },
    () => findReplacedUrl(repository, input),
    async () => {
      const remote = requireRemote(await readRemoteSettings(repository), input.name);
      const way = input.push ? ['--push'] : [];
      await repository.administer(['remote', 'set-url', ...way, '--', input.name, input.url]);
      // The repository is bound to the configuration at the start of the call, so reading the configuration would return the old URL.
      return redactRemote({ ...remote, ...(input.push ? { pushUrls: [input.url] } : { urls: [input.url] }) });
    },
  );
}

async function findReplacedUrl(repository: Repository, { name, url, push }: GitRemoteSetUrlInput): Promise<Loss | undefined> {
  const { urls, pushUrls } = requireRemote(await readRemoteSettings(repository), name);
  const [old] = push ? pushUrls : urls;
  if (old === undefined || old === url) return undefined;
  const shown = redactSecrets(old);
  return {
    question: `Replace the ${push ? 'push ' : ''}URL of the remote ${quoteInput(name)} with ${redactSecrets(url)}?`,
    lost: [shown],
    ...(shown === old && {
      recoverWith: formatUndo(repository, [
        {
          tool: 'git_remote_set_url',
          args: { name, url: old, ...(push && { push }) },
          command: `git remote set-url ${push ? '--push ' : ''}${name} ${old}`,
        },
      ]),
    }),
    seen: { url: hashUrl(old) },
  };
}

/** Hashes a URL, because the URL may contain a password that the client must not see. */
function hashUrl(url: string): string {
  return createHash('sha256').update(url).digest('base64url');
}
