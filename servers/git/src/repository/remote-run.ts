import type { RequestContext } from '@org/mcp-decorators';

import type { Configuration } from './environment.ts';
import { ProgressReader } from './parse/progress.ts';
import { remoteConfiguration, remoteEnvironment } from './remote-environment.ts';
import { remoteFailureOf } from './remote-failures.ts';
import type { CommandOptions, Policy, Repository } from './repository.ts';
import type { Output } from './runner.ts';

/** Who runs git: a repository, or one that is being made. */
export interface Runs {
  readonly policy: Policy;
  run(command: readonly string[], options: CommandOptions): Promise<Output>;
}

/** A command that reaches a remote. */
export interface RemoteCommand {
  readonly command: readonly string[];
  /** The user's, by key. */
  readonly credentials: Configuration;
  /** Exit codes that are answers; default: 0 alone. */
  readonly codes?: readonly number[];
  readonly config?: Configuration;
}

/** What came of it. */
export interface RemoteOutput extends Output {
  /** What the remote said, a line each. */
  readonly messages: readonly string[];
}

/** A repository as one that runs commands that change it. */
export function runsIn(repository: Repository): Runs {
  return { policy: repository.policy, run: (command, options) => repository.write(command, options) };
}

/**
 * Runs a command that reaches a remote: with the user's credentials and without the repository's, and never a question.
 *
 * Reports progress in hundredths, if the client wants to know; the command then has to take `--progress`.
 *
 * @throws ToolError AUTH_REQUIRED, NETWORK, TIMEOUT, REMOTE_NOT_FOUND, HOST_NOT_ALLOWED, UNSAFE_OBJECTS, INVALID_REVISION, CONFLICT
 */
export async function runRemote(
  runs: Runs,
  { command, credentials, codes = [0], config }: RemoteCommand,
  context?: RequestContext,
): Promise<RemoteOutput> {
  const reader = new ProgressReader((hundredths, words) => context?.progress(hundredths, 100, words));
  const output = await runs.run(command, {
    codes: ANY,
    env: remoteEnvironment(runs.policy),
    config: { ...remoteConfiguration(runs.policy, credentials), ...config },
    onStderr: (text) => reader.feed(text),
  });
  if (codes.includes(output.code)) return { ...output, messages: reader.messages };
  throw remoteFailureOf(command[0] ?? '', output, reader.words);
}

/** What a command is told about progress. */
export function progressFlag({ progressWanted }: RequestContext): string {
  return progressWanted ? '--progress' : '--no-progress';
}

const ANY: readonly number[] = Array.from({ length: 256 }, (_, code) => code);
