import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { platform } from 'node:os';
import { isNativeError } from 'node:util/types';

import { ToolError } from '@org/mcp-decorators';

/** Options for one git process. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends the process and all of its group. The run then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Maximum number of bytes read from stdout. At this limit git is ended, and the run succeeds with truncated output. */
  readonly maxBytes: number;
  /** Content of stdin, empty by default. For a list of paths, use `encodePathList`. */
  readonly input?: string | Buffer;
  /** Receives stdout in chunks. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Called after each chunk of stdout; if it returns `true`, git is ended, and the run succeeds. With this option, stdout is not kept. */
  readonly isEnough?: () => boolean;
  /** Receives all of stderr in chunks, including the part that is not kept because stderr is too long. */
  readonly onStderr?: (text: string) => void;
}

/** Output and exit code of a git process. */
export interface GitOutput {
  /** Exit code; 0 if git was ended at a limit. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Whether git was ended at a limit, so that stdout may be incomplete. */
  readonly isTruncated: boolean;
}

/** Maximum time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 2000;
/** Length of stderr in UTF-16 units from which on no further chunk is kept. */
const MAX_STDERR = 65_536;

/**
 * Runs a process until it ends, without a shell.
 *
 * If the signal is aborted or a limit is reached, the process and its group receive SIGTERM. The group receives SIGKILL as soon as the
 * process itself has ended, at most 2 s later.
 *
 * @throws ToolError GIT_FAILED if another program killed the process, GIT_NOT_FOUND; the signal's reason
 */
export function runProcess(command: string, args: readonly string[], options: RunOptions): Promise<GitOutput> {
  options.signal.throwIfAborted();
  const { cwd, env, input } = options;
  return new Run(
    startGroup(command, args, { cwd, env, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] }),
    options,
  ).outcome;
}

class Run {
  readonly outcome: Promise<GitOutput>;
  readonly #child: ChildProcess;
  readonly #options: RunOptions;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #stderr = '';
  #truncated = false;
  #exited = false;
  #deadline: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess, options: RunOptions) {
    this.#child = child;
    this.#options = options;
    const end = (): void => this.#end();
    options.signal.addEventListener('abort', end, { once: true });
    this.outcome = this.#closed().finally(() => {
      options.signal.removeEventListener('abort', end);
      clearTimeout(this.#deadline);
    });
    this.#listen();
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child;
    stdout?.on('data', (chunk: Buffer) => this.#collect(chunk));
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#stderr.length < MAX_STDERR) this.#stderr += text;
      this.#options.onStderr?.(text);
    });
    // If git ends before it has read all of its input, writing to stdin fails. This error is ignored.
    stdin?.on('error', () => undefined).end(this.#options.input);
    this.#child.once('exit', () => {
      this.#exited = true;
      if (this.#isEnding) this.#kill();
    });
  }

  #closed(): Promise<GitOutput> {
    return new Promise((resolve, reject) => {
      this.#child.once('error', (error) => reject(startError(error)));
      this.#child.once('close', (code, signal) => {
        const { reason, aborted } = this.#options.signal;
        if (aborted) reject(reason);
        else if (this.#truncated) resolve(this.#output(0));
        else if (code === null) reject(new ToolError('GIT_FAILED', `git was killed by ${signal ?? 'a signal'}`));
        else resolve(this.#output(code));
      });
    });
  }

  #output(code: number): GitOutput {
    return { code, stdout: Buffer.concat(this.#chunks), stderr: this.#stderr, isTruncated: this.#truncated };
  }

  #collect(chunk: Buffer): void {
    if (this.#isEnding) return;
    const kept = chunk.subarray(0, this.#options.maxBytes - this.#bytes);
    if (this.#options.isEnough === undefined) this.#chunks.push(kept);
    this.#bytes += kept.length;
    this.#options.onOutput?.(kept);
    if (kept.length === chunk.length && this.#options.isEnough?.() !== true) return;
    this.#truncated = true;
    this.#end();
  }

  get #isEnding(): boolean {
    return this.#truncated || this.#options.signal.aborted;
  }

  #end(): void {
    if (this.#exited) return this.#kill();
    signalGroup(this.#child, 'SIGTERM');
    this.#deadline ??= setTimeout(() => this.#kill(), GRACE_MS);
  }

  // A process that left the group may keep the pipes open, so the pipes are destroyed. Otherwise `close` would not be emitted.
  #kill(): void {
    signalGroup(this.#child, 'SIGKILL');
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }
}

// A process group makes hooks, filters and helpers end together with git. Windows has no process groups.
const HAS_GROUPS = platform() !== 'win32';

/**
 * Starts a process as the leader of a new process group, without a shell.
 *
 * @throws ToolError INVALID_ARGUMENTS for a command line that is too long
 */
export function startGroup(
  command: string,
  args: readonly string[],
  options: Required<Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'>>,
): ChildProcess {
  try {
    return spawn(command, args, { ...options, detached: HAS_GROUPS, windowsHide: true });
  } catch (error) {
    throw isTooLong(error) ? tooLongError(error) : error;
  }
}

function isTooLong(error: unknown): error is Error {
  return isNativeError(error) && 'code' in error && (error.code === 'E2BIG' || error.code === 'ENAMETOOLONG');
}

function tooLongError(cause: Error): ToolError {
  return new ToolError('INVALID_ARGUMENTS', 'the arguments are longer than a command line may be', {
    hint: 'pass fewer or shorter paths',
    cause,
  });
}

/** Sends a signal to a process that {@link startGroup} started and to the other processes of its group. */
export function signalGroup(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (!HAS_GROUPS) return void child.kill(name);
  try {
    // oxlint-disable-next-line no-restricted-properties -- only its negative process id addresses a process group
    process.kill(-pid, name);
  } catch {
    // The signal is not needed: all processes of the group have ended.
  }
}

/** Creates the error for a git executable that cannot be started. */
export function startError(cause?: Error): ToolError {
  return new ToolError('GIT_NOT_FOUND', 'git could not be started', {
    hint: 'install git, or start the server with a PATH that contains git in a directory outside the allowed directories',
    ...(cause && { cause }),
  });
}
