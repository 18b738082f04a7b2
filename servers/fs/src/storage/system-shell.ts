import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';

/**
 * Directories of the system's programs. The PATH of the server is not used: npm and npx put `node_modules/.bin` first, which may
 * be inside the roots.
 */
export const SYSTEM_PROGRAMS = '/usr/bin:/bin';

export const SHELL = '/bin/sh';

interface ShellOptions {
  /** Directories in which the shell looks up programs, separated by colons. */
  readonly programs: string;
  readonly stdio: StdioOptions;
}

/**
 * Starts `/bin/sh` as the leader of a process group that {@link killGroup} ends. If the system has no `/bin/sh`, the process
 * emits `error`.
 */
export function startShell(script: string, { programs, stdio }: ShellOptions): ChildProcess {
  return spawn(SHELL, ['-c', script], { cwd: '/', env: { PATH: programs, LC_ALL: 'C' }, detached: true, stdio });
}

/** Kills a shell and the programs that it has started. A program that waits for an unresponsive file system may survive. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    // oxlint-disable-next-line no-restricted-properties -- a process group can be reached by its number only
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has no process left.
  }
}

interface RunOptions extends Pick<ShellOptions, 'programs'> {
  /** Descriptors that the script inherits as 3, 4 and so on. */
  readonly descriptors: readonly number[];
  /** Timeout in milliseconds. */
  readonly timeoutMs: number;
}

/** Exit code of shells for a program that does not exist; also returned if the shell itself does not exist. */
const NOT_FOUND = 127;
/** Returned instead of an exit code if a signal ended the shell. */
const KILLED = 128;

/** Runs a script and returns its exit code, or `undefined` if the script did not end in time. */
export async function runShell(script: string, { programs, descriptors, timeoutMs }: RunOptions): Promise<number | undefined> {
  const shell = startShell(script, { programs, stdio: ['ignore', 'ignore', 'ignore', ...descriptors] });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<number | undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), timeoutMs);
      shell.once('error', () => resolve(NOT_FOUND));
      shell.once('exit', (code) => resolve(code ?? KILLED));
    });
  } finally {
    clearTimeout(timer);
    if (shell.exitCode === null && shell.signalCode === null) killGroup(shell);
    shell.unref();
  }
}
