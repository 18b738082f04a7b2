import { Text, ToolError } from '@org/mcp-decorators';

import { readRemoteSettings, requireRemoteName } from '../repository/remote-settings.ts';
import { requireNoSecret, requirePermittedUrl } from '../repository/remote-url.ts';
import type { Repository } from '../repository/repository.ts';
import { quoted } from '../text/visible.ts';
import type { Remote } from './git-remote-list.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitRemoteAddInput extends RepositoryInput {
  @Text('Name of the new remote') name!: string;
  @Text('https or ssh, without a password') url!: string;
}

/**
 * Adds a remote; nothing is fetched.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_URL, HOST_NOT_ALLOWED, REMOTE_EXISTS, REPO_UNTRUSTED, LOCKED
 */
export async function gitRemoteAdd(repository: Repository, { name, url }: GitRemoteAddInput): Promise<Remote> {
  requireRemoteName(name);
  requireNoSecret(url);
  const { shown } = requirePermittedUrl(url, repository.policy);
  return repository.alone(async () => {
    const { remotes } = await readRemoteSettings(repository);
    if (remotes.some((remote) => remote.name === name))
      throw new ToolError('REMOTE_EXISTS', `there is a remote ${quoted(name)} already`, {
        hint: 'git_remote_set_url changes it',
      });
    await repository.administer(['remote', 'add', '--', name, url]);
    return { name, url: shown };
  });
}
