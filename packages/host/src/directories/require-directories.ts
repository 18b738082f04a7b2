import type { ServerOptions } from '../server-options.ts';
import { UsageError } from '../usage-error.ts';

/** Over HTTP there have to be directories: clients that anybody may run would say for themselves what is allowed. @throws UsageError */
export function requireDirectories({ http }: Pick<ServerOptions, 'http'>, directories: readonly unknown[]): void {
  if (http !== undefined && directories.length === 0)
    throw new UsageError(
      'over HTTP the directories have to be named that may be touched; the roots of clients can only narrow them',
    );
}
