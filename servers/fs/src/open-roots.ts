import { Roots, type RootSetting } from '@org/mcp-roots';

import type { FilesystemOptions } from './filesystem-options.ts';
import { NO_SECRETS, SECRETS } from './secrets.ts';

/**
 * The roots that the operator's options describe.
 *
 * @throws RootError, GlobError
 */
export function openRoots({ directories, ro, rw, deny, allow, defaultDeny, hardLinks }: FilesystemOptions): Promise<Roots> {
  const settings: readonly RootSetting[] = [
    ...[...directories, ...rw].map((path) => ({ path })),
    ...ro.map((path) => ({ path, mode: 'ro' as const })),
  ];
  return Roots.open(settings, {
    deny: [...(defaultDeny ? SECRETS : []), ...deny],
    allow: [...(defaultDeny ? NO_SECRETS : []), ...allow],
    hardLinks,
  });
}
