import { homedir } from 'node:os';
import path from 'node:path';

import { chosenStateDirectory, preparedDefaultDirectory } from './private-directory.ts';
import type { ServerOptions } from './server-options.ts';
import type { Machine } from './setup/machine.ts';

type Place = Pick<Machine, 'platform' | 'env' | 'home'>;

/**
 * Returns the absolute path of the directory for state that outlives the process: `--state-dir`, or a subdirectory with this name
 * if others have access to `--state-dir`. Default: a directory with this name in the user's state directory. Callers create the
 * directory with `makePrivateDirectory`.
 *
 * @param name the same for servers that are to know of each other, such as `mcp-fs`
 * @throws UsageError if `--state-dir` cannot be used, belongs to another user or can be replaced by every user
 */
export function stateDirectoryOf(name: string, { stateDir }: Pick<ServerOptions, 'stateDir'>): string {
  if (stateDir !== undefined) return chosenStateDirectory(path.resolve(stateDir), name);
  return preparedDefaultDirectory(defaultStateDirectory(name, { platform: process.platform, env: process.env, home: homedir() }));
}

export function defaultStateDirectory(name: string, { platform, env, home }: Place): string {
  if (platform === 'win32') return path.win32.join(env['LOCALAPPDATA'] || path.win32.join(home, 'AppData', 'Local'), name);
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support', name);
  const chosen = env['XDG_STATE_HOME'];
  // The specification of these variables has it that a relative one is not obeyed.
  const parent = chosen?.startsWith('/') === true ? chosen : path.posix.join(home, '.local', 'state');
  return path.posix.join(parent, name);
}
