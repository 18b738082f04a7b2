import { spawn, type ChildProcess } from 'node:child_process';
import { platform } from 'node:os';

import { ToolError } from '@org/mcp-decorators';

/** One run of git. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends the run and everything it started; its reason is what the run rejects with. */
  readonly signal: AbortSignal;
  /** Bytes of stdout after which git is ended; what it wrote until then counts. */
  readonly maxBytes: number;
  /** Sent to stdin, which is closed otherwise. */
  readonly input?: string | undefined;
  /** Told of stdout as it comes. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
  /** Told of stderr as it comes, also of what is not kept. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

/** What a run wrote, and how it ended. */
export interface Output {
  /** Exit code; 0 for a run that was ended at its byte limit. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** There was more on stdout. */
  readonly truncated: boolean;
}

/** How long a process that was asked to end may take before it is killed. */
const GRACE_MS = 2000;
const MAX_STDERR = 65_536;

// A group of its own, so that hooks, filters and helpers end together with git. Windows has no process groups.
const HAS_GROUPS = platform() !== 'win32';

/**
 * Runs git to its end, never through a shell.
 *
 * A run that is aborted, late or over its limit gets SIGTERM, as does every process in its group; the group gets SIGKILL as
 * soon as git itself is gone, and after 2 s at the latest.
 *
 * @throws ToolError GIT_FAILED for a run that something else killed, GIT_NOT_FOUND
 */
export function runProcess(command: string, args: readonly string[], options: RunOptions): Promise<Output> {
  options.signal.throwIfAborted();
  const { cwd, env, input } = options;
  const child = spawn(command, [...args], {
    cwd,
    env,
    detached: HAS_GROUPS,
    windowsHide: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  return new Run(child, options).outcome;
}

class Run {
  readonly outcome: Promise<Output>;
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
    // git may end without reading all of its input.
    stdin?.on('error', () => undefined).end(this.#options.input);
    this.#child.once('exit', () => {
      this.#exited = true;
      if (this.#isEnding) this.#kill();
    });
  }

  #closed(): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#child.once('error', (error) => reject(notStarted(error)));
      this.#child.once('close', (code, signal) => {
        const { reason, aborted } = this.#options.signal;
        if (aborted) reject(reason);
        else if (this.#truncated) resolve(this.#output(0));
        else if (code === null) reject(new ToolError('GIT_FAILED', `git was ended by ${signal ?? 'a signal'}`));
        else resolve(this.#output(code));
      });
    });
  }

  #output(code: number): Output {
    return { code, stdout: Buffer.concat(this.#chunks), stderr: this.#stderr, truncated: this.#truncated };
  }

  #collect(chunk: Buffer): void {
    if (this.#isEnding) return;
    const kept = chunk.subarray(0, this.#options.maxBytes - this.#bytes);
    this.#chunks.push(kept);
    this.#bytes += kept.length;
    this.#options.onOutput?.(kept);
    if (kept.length === chunk.length) return;
    this.#truncated = true;
    this.#end();
  }

  get #isEnding(): boolean {
    return this.#truncated || this.#options.signal.aborted;
  }

  #end(): void {
    if (this.#exited) return this.#kill();
    this.#signal('SIGTERM');
    this.#deadline ??= setTimeout(() => this.#kill(), GRACE_MS);
  }

  // Whoever ignored SIGTERM holds the pipes open, and `close` would never come. With git gone nobody needs the time.
  #kill(): void {
    this.#signal('SIGKILL');
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #signal(name: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (!HAS_GROUPS) return void this.#child.kill(name);
    try {
      // oxlint-disable-next-line no-restricted-properties -- a process group can be reached by its number only
      process.kill(-pid, name);
    } catch {
      // Nobody of the group is left.
    }
  }
}

function notStarted(error: Error): ToolError {
  return new ToolError('GIT_NOT_FOUND', 'git could not be started', {
    hint: 'install git, or start the server with a PATH that finds it',
    cause: error,
  });
}
