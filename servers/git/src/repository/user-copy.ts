import { rm } from 'node:fs/promises';
import { devNull } from 'node:os';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { checkedConfiguration } from './checked-configuration.ts';
import { failureOf } from './failures.ts';
import type { PinnedConfigurations, UserCopy } from './pinned-configurations.ts';
import type { GitProgram } from './program.ts';

/** What the copy of the user's configuration is made with. */
export interface CopyGround {
  readonly git: GitProgram;
  readonly pinned: PinnedConfigurations;
  readonly isWritable: (file: Buffer) => boolean;
  readonly signal: AbortSignal;
}

const MAX_CONFIG = 8_388_608;
const NO_CONFIGURATION = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };

/**
 * Copies the user's configuration for a repository that does not exist yet, without the settings that clients may be able to write.
 *
 * Conditions in the configuration depend on the path of the git directory. Therefore the directory contains a git directory while the
 * configuration is listed.
 *
 * @param directory real path of an empty directory
 */
export async function copyForNewRepository(
  directory: string,
  { git, pinned, isWritable, signal }: CopyGround,
): Promise<UserCopy> {
  const env = { GIT_CEILING_DIRECTORIES: path.dirname(directory), GIT_TEMPLATE_DIR: '' };
  const options = { cwd: directory, signal, maxBytes: MAX_CONFIG };
  const made = await git.run(['init', '--quiet'], { ...options, env: { ...env, ...NO_CONFIGURATION } });
  if (made.code !== 0) throw failureOf('init', made);
  const listed = await git.run(['config', '--list', '-z', '--show-scope', '--show-origin'], { ...options, env });
  if (listed.code !== 0) throw failureOf('config', listed);
  if (listed.truncated) throw new ToolError('REPO_UNTRUSTED', 'the configuration of the user is too large to be checked');
  const commonDir = path.join(directory, '.git');
  await rm(commonDir, { recursive: true, maxRetries: 3 });
  return pinned.copyOfUser(checkedConfiguration(listed.stdout, { commonDir, isWritable }).user);
}
