import { homedir } from 'node:os';
import path from 'node:path';

import { chosenStateDirectory } from './private-directory.ts';
import type { ServerOptions } from './server-options.ts';
import type { Machine } from './setup/machine.ts';

type Place = Pick<Machine, 'platform' | 'env' | 'home'>;

/**
 * Where a server keeps what outlives its process: `--state-dir`, or a directory of this name inside it if others may use it, too;
 * else a directory of this name among those of the user's programs. An absolute path: what needs the directory makes it by
 * `makePrivateDirectory`.
 *
 * @param name the same for servers that are to know of each other, such as `mcp-fs`
 * @throws UsageError if other users could replace or read what is kept there
 */
export function stateDirectoryOf(name: string, { stateDir }: Pick<ServerOptions, 'stateDir'>): string {
  if (stateDir !== undefined) return chosenStateDirectory(path.resolve(stateDir), name);
  return defaultStateDirectory(name, { platform: process.platform, env: process.env, home: homedir() });
}

export function defaultStateDirectory(name: string, { platform, env, home }: Place): string {
  if (platform === 'win32') return path.win32.join(env['LOCALAPPDATA'] || path.win32.join(home, 'AppData', 'Local'), name);
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support', name);
  const chosen = env['XDG_STATE_HOME'];
  // The specification of these variables has it that a relative one is not obeyed.
  const parent = chosen?.startsWith('/') === true ? chosen : path.posix.join(home, '.local', 'state');
  return path.posix.join(parent, name);
}
