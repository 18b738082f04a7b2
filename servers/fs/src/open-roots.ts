import { requireDirectories, UsageError, type OperatorLog } from '@org/mcp-host';
import { GlobError, RootError, Roots } from '@org/mcp-roots';

import type { FilesystemOptions } from './options/filesystem-options.ts';
import { NO_SECRETS, SECRETS } from './secrets.ts';

/**
 * The roots that the operator's options describe; those that are missing are told of.
 *
 * @throws UsageError
 */
export async function openRoots(options: FilesystemOptions, log: OperatorLog | undefined): Promise<Roots> {
  const roots = await opened(options);
  requireDirectories(options, roots.directories);
  for (const root of roots.directories) {
    if ((await root.state()) !== 'available')
      log?.warning(`the directory ${root.path} is not there; it is used as soon as it is`);
  }
  return roots;
}

async function opened({ directories, ro, rw, deny, allow, defaultDeny, hardLinks }: FilesystemOptions): Promise<Roots> {
  const settings = [...[...directories, ...rw].map((path) => ({ path })), ...ro.map((path) => ({ path, mode: 'ro' as const }))];
  try {
    return await Roots.open(settings, {
      deny: [...(defaultDeny ? SECRETS : []), ...deny],
      allow: [...(defaultDeny ? NO_SECRETS : []), ...allow],
      hardLinks,
    });
  } catch (error) {
    const isUsage = error instanceof RootError || error instanceof GlobError;
    throw isUsage ? new UsageError(error.message, { cause: error }) : error;
  }
}
