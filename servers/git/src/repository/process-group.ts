import { spawn, type ChildProcess } from 'node:child_process';
import { platform } from 'node:os';

import { ToolError } from '@org/mcp-decorators';

/** Where a process begins, and with what. */
export interface GroupOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: readonly ['ignore' | 'pipe', 'pipe', 'ignore' | 'pipe'];
}

// A group of its own, so that hooks, filters and helpers end together with git. Windows has no process groups.
const HAS_GROUPS = platform() !== 'win32';

/** Starts a process as the first of a group, never through a shell and never with the server's own stdin. */
export function startGroup(command: string, args: readonly string[], { stdio, ...options }: GroupOptions): ChildProcess {
  try {
    return spawn(command, [...args], { ...options, detached: HAS_GROUPS, windowsHide: true, stdio: [...stdio] });
  } catch (error) {
    throw isTooLong(error) ? tooLong(error) : error;
  }
}

function isTooLong(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'E2BIG' || error.code === 'ENAMETOOLONG');
}

function tooLong(cause: Error): ToolError {
  return new ToolError('INVALID_ARGUMENTS', 'what is asked for is longer than a command may be', {
    hint: 'name fewer or shorter paths',
    cause,
  });
}

/** Signals a process that {@link startGroup} started, and every other of its group. */
export function signalGroup(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (!HAS_GROUPS) return void child.kill(name);
  try {
    // oxlint-disable-next-line no-restricted-properties -- a process group can be reached by its number only
    process.kill(-pid, name);
  } catch {
    // Nobody of the group is left.
  }
}

export function notStarted(error: Error): ToolError {
  return new ToolError('GIT_NOT_FOUND', 'git could not be started', {
    hint: 'install git, or start the server with a PATH that finds it outside the allowed directories',
    cause: error,
  });
}
