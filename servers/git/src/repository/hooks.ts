import { access, constants } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { decodeBody } from './parse/fields.ts';
import { redactSecrets } from '../text/redact.ts';
import { visibleBody } from '../text/visible.ts';
import { explainGitFailure } from './process/failures.ts';
import type { CommandOptions, Policy, Repository } from './repository.ts';

/** Maximum length of a hook's output in an error, in characters. */
const MAX_MESSAGE = 4000;

/** Returns options that let a command run hooks, if the operator allows hooks. */
export function configureHooks({ allowHooks }: Policy): Pick<CommandOptions, 'config'> {
  return allowHooks ? { config: { 'core.hooksPath': undefined } } : {};
}

/** Returns those of the given hooks that git would run, but that do not run because the operator allows no hooks. */
export async function listSkippedHooks(repository: Repository, names: readonly string[]): Promise<readonly string[]> {
  if (repository.policy.allowHooks) return [];
  const { top, commonDir } = repository.layout;
  const command = ['config', '--type=path', '--get', 'core.hooksPath'];
  const { code, stdout } = await repository.read(command, { codes: [0, 1], config: { 'core.hooksPath': undefined } });
  const directory = code === 0 ? path.resolve(top, decodeBody(stdout).replace(/\n$/, '')) : path.join(commonDir, 'hooks');
  const found = await Promise.all(names.map((name) => isExecutable(path.join(directory, name))));
  return names.filter((_, index) => found[index]);
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Runs a command, with its hooks if the operator allows hooks.
 *
 * @throws ToolError HOOK_FAILED with the output of the hook, SIGNING_FAILED, and the errors of {@link explainGitFailure}
 */
export async function runWithHooks(repository: Repository, command: readonly string[], options: CommandOptions): Promise<void> {
  const config = { ...options.config, ...configureHooks(repository.policy).config };
  const output = await repository.write(command, { ...options, config, codes: [0, 1, 128] });
  if (output.code === 0) return;
  const known = explainGitFailure(command[0] ?? '', output);
  if (known.code !== 'GIT_FAILED') throw known;
  const words = visibleBody(redactSecrets(output.stderr.trim().slice(0, MAX_MESSAGE)));
  if (/failed to sign|failed to write commit object|unable to sign/.test(output.stderr)) throw signingError(words);
  const isHooks = output.code === 1 || /aborted by hook/.test(output.stderr);
  throw repository.policy.allowHooks && isHooks ? hookError(words) : known;
}

function hookError(words: string): ToolError {
  return new ToolError('HOOK_FAILED', words === '' ? 'a hook failed without output' : `a hook failed: ${words}`);
}

function signingError(words: string): ToolError {
  return new ToolError('SIGNING_FAILED', `signing failed: ${words}`, {
    hint: 'user.signingKey, gpg.format and gpg.program are read from your own configuration only, not from the repository',
  });
}
