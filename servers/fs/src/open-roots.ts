import { diagnoseClientRoots, requireDirectories, UsageError, type OperatorLog } from '@org/mcp-host';
import { GlobError, RootError, Roots } from '@org/mcp-roots';

import type { FilesystemOptions } from './options/filesystem-options.ts';
import { NO_SECRETS, SECRET_PLACES, SECRETS } from './secrets.ts';

/**
 * The roots that the operator's options describe; those that are missing are told of.
 *
 * @param stateDirectory out of reach in all of them
 * @throws UsageError
 */
export async function openRoots(
  options: FilesystemOptions,
  stateDirectory: string,
  log: OperatorLog | undefined,
): Promise<Roots> {
  const roots = await opened(options, stateDirectory);
  requireDirectories(options, roots.directories);
  if (roots.directories.length === 0) log?.info(diagnoseClientRoots(options, []).detail);
  for (const root of roots.directories) {
    if ((await root.state()) !== 'available')
      log?.warning(`the directory ${root.path} is not there; it is used as soon as it is`);
  }
  return roots;
}

async function opened(options: FilesystemOptions, stateDirectory: string): Promise<Roots> {
  const { directories, ro, rw, deny, allow, defaultDeny, hardLinks, allowGitDir, followSymlinks, crossMounts } = options;
  const settings = [...[...directories, ...rw].map((path) => ({ path })), ...ro.map((path) => ({ path, mode: 'ro' as const }))];
  try {
    return await Roots.open(settings, {
      deny: [...(defaultDeny ? SECRETS : []), ...deny],
      denyAnywhere: defaultDeny ? SECRET_PLACES : [],
      allow: [...(defaultDeny ? NO_SECRETS : []), ...allow],
      hidden: [stateDirectory],
      hardLinks,
      followSymlinks,
      crossMounts,
      gitDirectories: allowGitDir ? 'allow' : 'deny',
    });
  } catch (error) {
    const isUsage = error instanceof RootError || error instanceof GlobError;
    throw isUsage ? new UsageError(error.message, { cause: error }) : error;
  }
}
