import { homedir } from 'node:os';
import path from 'node:path';

import { ambientEnvironment } from './environment.ts';

/** The files in which git looks for configuration of the user and of the system. They need not exist. */
export function userFiles(): readonly string[] {
  const { HOME, XDG_CONFIG_HOME } = ambientEnvironment();
  const home = HOME ?? homedir();
  const directory = XDG_CONFIG_HOME === undefined || XDG_CONFIG_HOME === '' ? path.join(home, '.config') : XDG_CONFIG_HOME;
  return ['/etc/gitconfig', path.join(home, '.gitconfig'), path.join(directory, 'git/config')];
}
