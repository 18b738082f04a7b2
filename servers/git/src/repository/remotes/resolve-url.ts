import { splitLines } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';
import type { RemoteRunner } from './remote-run.ts';
import type { ConfiguredRemote } from './remote-settings.ts';
import { requirePermittedUrl, type RemoteUrl } from './remote-url.ts';

/**
 * Returns the URL that git uses for a remote, after all settings that rewrite URLs.
 *
 * @throws ToolError INVALID_URL, HOST_NOT_ALLOWED
 */
export async function resolveRemoteUrl(
  repository: Repository,
  { name }: ConfiguredRemote,
  way: 'fetch' | 'push',
): Promise<RemoteUrl> {
  const push = way === 'push' ? ['--push'] : [];
  const { stdout } = await repository.read(['remote', 'get-url', '--all', ...push, '--', name]);
  // If a remote has several URLs, git fetches from the first and pushes to all.
  const [first] = splitLines(stdout).map((url) => requirePermittedUrl(url, repository.policy));
  return first ?? requirePermittedUrl('', repository.policy);
}

/**
 * Returns the URL that git uses for a given URL, after the settings of the user that rewrite URLs.
 *
 * @throws ToolError INVALID_URL, HOST_NOT_ALLOWED
 */
export async function resolveRewrittenUrl(runs: RemoteRunner, url: string): Promise<RemoteUrl> {
  requirePermittedUrl(url, runs.policy);
  const { stdout } = await runs.run(['ls-remote', '--get-url', '--', url], {});
  return requirePermittedUrl(splitLines(stdout)[0] ?? '', runs.policy);
}
