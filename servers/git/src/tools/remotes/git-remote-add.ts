import { Text, ToolError, type Result } from '@org/mcp-decorators';

import { readRemoteSettings, requireRemoteName } from '../../repository/remotes/remote-settings.ts';
import { requireNoSecret } from '../../repository/remotes/remote-url.ts';
import { permitUrl } from '../../repository/remotes/resolve-url.ts';
import type { Repository } from '../../repository/repository.ts';
import { quoteInput } from '../../text/visible.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatRemoteResult } from './git-remote-list.ts';

export class GitRemoteAddInput extends RepositoryInput {
  @Text('Name of the new remote') name!: string;
  @Text('https or ssh URL without a password, or absolute path of a repository') url!: string;
}

/**
 * Adds a remote without fetching from it.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_URL, HOST_NOT_ALLOWED, REMOTE_EXISTS, REPO_UNTRUSTED, LOCKED
 */
export async function gitRemoteAdd(repository: Repository, { name, url }: GitRemoteAddInput): Promise<Result> {
  requireRemoteName(name);
  requireNoSecret(url);
  const { shown } = await permitUrl(repository, url, name);
  const outcome = await repository.withWriteLock(async () => {
    const { remotes } = await readRemoteSettings(repository);
    if (remotes.some((remote) => remote.name === name))
      throw new ToolError('REMOTE_EXISTS', `the remote ${quoteInput(name)} already exists`, {
        hint: 'change the URL of the remote with git_remote_set_url',
      });
    await repository.administer(['remote', 'add', '--', name, url]);
    return { name, url: shown };
  });
  return formatRemoteResult(outcome, 'Added');
}
