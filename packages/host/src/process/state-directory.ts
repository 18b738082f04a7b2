import { homedir } from 'node:os';
import path from 'node:path';

import { verifyChosenDirectory, prepareDefaultDirectory } from './private-directory.ts';
import type { Machine } from './machine.ts';

type UserHome = Pick<Machine, 'platform' | 'env' | 'home'>;

/** The option `--state-dir`, see `ServerOptions`. */
interface StateOptions {
  readonly stateDir?: string | undefined;
}

/**
 * Returns the absolute path of the directory for state that outlives the process: `--state-dir`, or a subdirectory with this name
 * if others have access to `--state-dir`. Default: a directory with this name in the user's state directory. Callers create the
 * directory with `makePrivateDirectory`.
 *
 * @param name name of the server, such as `mcp-fs`; servers with the same name share the directory
 * @throws UsageError if `--state-dir` cannot be used, belongs to another user except root, or can be replaced by every user
 */
export function resolveStateDirectory(name: string, { stateDir }: StateOptions): string {
  if (stateDir !== undefined) return verifyChosenDirectory(path.resolve(stateDir), name);
  return prepareDefaultDirectory(defaultStateDirectory(name, { platform: process.platform, env: process.env, home: homedir() }));
}

export function defaultStateDirectory(name: string, { platform, env, home }: UserHome): string {
  if (platform === 'win32') return path.win32.join(env['LOCALAPPDATA'] || path.win32.join(home, 'AppData', 'Local'), name);
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support', name);
  const chosen = env['XDG_STATE_HOME'];
  // The XDG specification requires that a relative path is ignored.
  const parent = chosen?.startsWith('/') === true ? chosen : path.posix.join(home, '.local', 'state');
  return path.posix.join(parent, name);
}
