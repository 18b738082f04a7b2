import { ToolError } from '@org/mcp-decorators';

import { splitLines } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';
import type { Peer } from './peer.ts';
import type { RemoteRunner } from './remote-run.ts';
import type { ConfiguredRemote } from './remote-settings.ts';
import { isDirectoryUrl, requirePermittedUrl } from './remote-url.ts';

/** A URL that may be used: of an allowed host, or of a directory inside the roots. */
export interface PermittedUrl {
  /** The URL without passwords and tokens, or the path of the directory. */
  readonly shown: string;
  /** The repository in the directory; absent for the URL of a host. */
  readonly peer?: Peer;
}

/** Requires that a URL may be used for a remote. @throws ToolError INVALID_URL, HOST_NOT_ALLOWED, and the errors of `openPeer` */
export async function permitUrl(
  { policy, openPeer }: Pick<RemoteRunner, 'policy' | 'openPeer'>,
  url: string,
  remote: string,
): Promise<PermittedUrl> {
  if (!isDirectoryUrl(url)) return { shown: requirePermittedUrl(url, policy).shown };
  const repository = await openPeer(url);
  return { shown: repository.shown, peer: { remote, repository } };
}

/**
 * Returns the URL that git uses for a remote, after all settings that rewrite URLs.
 *
 * @throws ToolError the errors of {@link permitUrl}; INVALID_URL for a remote that has a directory among several URLs
 */
export async function resolveRemoteUrl(
  repository: Repository,
  { name }: ConfiguredRemote,
  way: 'fetch' | 'push',
): Promise<PermittedUrl> {
  const push = way === 'push' ? ['--push'] : [];
  const { stdout } = await repository.read(['remote', 'get-url', '--all', ...push, '--', name]);
  // If a remote has several URLs, git fetches from the first and pushes to all, so all must be permitted.
  const urls = splitLines(stdout);
  const [first] = await Promise.all(urls.map((url) => permitUrl(repository, url, name)));
  if (urls.length > 1 && urls.some(isDirectoryUrl))
    throw new ToolError('INVALID_URL', 'a remote with several URLs cannot contain a directory', {
      hint: 'use one remote for each directory',
    });
  return first ?? permitUrl(repository, '', name);
}

/**
 * Returns the URL that git uses for a given URL, after the settings of the user that rewrite URLs.
 *
 * @param remote name of the remote that will have the URL
 * @throws ToolError the errors of {@link permitUrl}
 */
export async function resolveRewrittenUrl(runs: RemoteRunner, url: string, remote: string): Promise<PermittedUrl> {
  await permitUrl(runs, url, remote);
  const { stdout } = await runs.run(['ls-remote', '--get-url', '--', url], {});
  return permitUrl(runs, splitLines(stdout)[0] ?? '', remote);
}
