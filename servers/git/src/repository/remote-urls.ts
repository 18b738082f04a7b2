import { requirePermittedUrl, type RemoteUrl } from './remote-url.ts';
import type { ConfiguredRemote } from './remote-settings.ts';
import type { Repository } from './repository.ts';
import type { Runs } from './remote-run.ts';

/**
 * Where a remote is, as git will call it: after all that rewrites URLs.
 *
 * @throws ToolError INVALID_URL, HOST_NOT_ALLOWED
 */
export async function urlOf(repository: Repository, { name }: ConfiguredRemote, way: 'fetch' | 'push'): Promise<RemoteUrl> {
  const push = way === 'push' ? ['--push'] : [];
  const { stdout } = await repository.read(['remote', 'get-url', '--all', ...push, '--', name]);
  // Of several, git fetches from the first and pushes to all.
  const [first] = linesOf(stdout).map((url) => requirePermittedUrl(url, repository.policy));
  return first ?? requirePermittedUrl('', repository.policy);
}

/**
 * Where a URL leads, after what the user rewrites.
 *
 * @throws ToolError INVALID_URL, HOST_NOT_ALLOWED
 */
export async function rewrittenUrl(runs: Runs, url: string): Promise<RemoteUrl> {
  requirePermittedUrl(url, runs.policy);
  const { stdout } = await runs.run(['ls-remote', '--get-url', '--', url], {});
  return requirePermittedUrl(linesOf(stdout)[0] ?? '', runs.policy);
}

function linesOf(stdout: Buffer): readonly string[] {
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
