import { rm } from 'node:fs/promises';
import { devNull, homedir } from 'node:os';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { readEnvironment } from '../process/environment.ts';
import { explainGitFailure } from '../process/failures.ts';
import type { GitProgram } from '../process/git-program.ts';
import { buildCheckedConfiguration } from './checked-configuration.ts';
import type { PinnedConfigurations, UserCopy } from './pinned-configurations.ts';

/** Lists the files in which git usually looks for configuration of the user and of the system. They need not exist. */
export function listUserFiles(): readonly string[] {
  const { HOME, XDG_CONFIG_HOME } = readEnvironment();
  const home = HOME ?? homedir();
  const directory = XDG_CONFIG_HOME === undefined || XDG_CONFIG_HOME === '' ? path.join(home, '.config') : XDG_CONFIG_HOME;
  return ['/etc/gitconfig', path.join(home, '.gitconfig'), path.join(directory, 'git/config')];
}

/** Dependencies of {@link copyUserConfiguration}. */
export interface CopyDependencies {
  readonly git: GitProgram;
  readonly pinned: PinnedConfigurations;
  readonly isWritable: (file: Buffer) => boolean;
  readonly signal: AbortSignal;
}

const MAX_CONFIG = 8_388_608;
const NO_CONFIGURATION = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };

/**
 * Copies the user's configuration for a repository that does not exist yet, without the settings that clients may be able to
 * write; only identities remain from these.
 *
 * Conditions in the configuration depend on the path of the git directory. Therefore the directory contains a git directory while
 * the configuration is listed.
 *
 * @param directory real path of an empty directory
 */
export async function copyUserConfiguration(
  directory: string,
  { git, pinned, isWritable, signal }: CopyDependencies,
): Promise<UserCopy> {
  const env = { GIT_CEILING_DIRECTORIES: path.dirname(directory), GIT_TEMPLATE_DIR: '' };
  const options = { cwd: directory, signal, maxBytes: MAX_CONFIG };
  const made = await git.run(['init', '--quiet'], { ...options, env: { ...env, ...NO_CONFIGURATION } });
  if (made.code !== 0) throw explainGitFailure('init', made);
  const listed = await git.run(['config', '--list', '-z', '--show-scope', '--show-origin'], { ...options, env });
  if (listed.code !== 0) throw explainGitFailure('config', listed);
  if (listed.isTruncated) throw new ToolError('REPO_UNTRUSTED', 'the configuration of the user is too large to be checked');
  const commonDir = path.join(directory, '.git');
  await rm(commonDir, { recursive: true, maxRetries: 3 });
  return pinned.copyUser(buildCheckedConfiguration(listed.stdout, { commonDir, isWritable }).user);
}
