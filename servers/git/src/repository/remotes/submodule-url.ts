import { ToolError } from '@org/mcp-decorators';

import { redactSecrets } from '../../text/redact.ts';
import { quoteInput } from '../../text/visible.ts';
import { readCurrentBranch } from '../refs/head.ts';
import type { Repository } from '../repository.ts';
import { chooseRemote, readRemoteSettings, requireRemote } from './remote-settings.ts';
import { permitUrl } from './resolve-url.ts';

/** Matches a URL that is relative to the URL of the default remote. */
const RELATIVE = /^\.\.?\//;

/**
 * Returns the absolute URL of a submodule. A URL that begins with `./` or `../` is relative to the URL of the default remote, as in git.
 *
 * @throws ToolError INVALID_URL if the relative URL leads above the host, or the remote is not a permitted URL; HOST_NOT_ALLOWED;
 * REMOTE_NOT_FOUND if the repository has no default remote
 */
export async function resolveSubmoduleUrl(repository: Repository, url: string): Promise<string> {
  if (!RELATIVE.test(url)) return url;
  const settings = await readRemoteSettings(repository);
  const { urls } = requireRemote(settings, chooseRemote(settings, await readCurrentBranch(repository)));
  const base = urls[0] ?? '';
  await permitUrl(repository, base, 'origin');
  return joinUrl(base, url);
}

function joinUrl(base: string, relative: string): string {
  const [start = ''] = /^(?:[^:/]+:\/\/[^/]+\/|[^:/]+:\/*|\/)/.exec(base) ?? [];
  const parts = base.slice(start.length).split('/').filter(Boolean);
  const steps = relative.split('/').filter((step) => step !== '' && step !== '.');
  for (const step of steps) {
    if (step !== '..') parts.push(step);
    else if (parts.pop() === undefined) throw aboveHostError(base, relative);
  }
  return `${start}${parts.join('/')}`;
}

function aboveHostError(base: string, relative: string): ToolError {
  return new ToolError(
    'INVALID_URL',
    `the URL ${quoteInput(relative)} of the submodule leads above the host of ${quoteInput(redactSecrets(base))}`,
    { hint: 'correct the URL in .gitmodules' },
  );
}
