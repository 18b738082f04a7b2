import { ToolError } from '@org/mcp-decorators';

import { redacted } from '../text/redacted.ts';
import { visibleBody } from '../text/visible.ts';
import { failureOf } from './failures.ts';
import { hooksOf } from './hooks.ts';
import type { CommandOptions, Repository } from './repository.ts';

/** More of a hook's words is not repeated. */
const MAX_WORDS = 4000;

/**
 * Runs a command with the hooks that the operator lets run.
 *
 * @throws ToolError HOOK_FAILED with the hook's words, SIGNING_FAILED, and those of {@link failureOf}
 */
export async function runWithHooks(repository: Repository, command: readonly string[], options: CommandOptions): Promise<void> {
  const config = { ...options.config, ...hooksOf(repository.policy).config };
  const output = await repository.write(command, { ...options, config, codes: [0, 1, 128] });
  if (output.code === 0) return;
  const known = failureOf(command[0] ?? '', output);
  if (known.code !== 'GIT_FAILED') throw known;
  const words = visibleBody(redacted(output.stderr.trim().slice(0, MAX_WORDS)));
  if (/failed to sign|failed to write commit object|unable to sign/.test(output.stderr)) throw unsigned(words);
  const isHooks = output.code === 1 || /aborted by hook/.test(output.stderr);
  throw repository.policy.allowHooks && isHooks ? refused(words) : known;
}

function refused(words: string): ToolError {
  return new ToolError('HOOK_FAILED', words === '' ? 'a hook refused it without a word' : `a hook refused it: ${words}`);
}

function unsigned(words: string): ToolError {
  return new ToolError('SIGNING_FAILED', `it could not be signed: ${words}`, {
    hint: 'user.signingKey, gpg.format and gpg.program are taken from your own configuration alone',
  });
}
