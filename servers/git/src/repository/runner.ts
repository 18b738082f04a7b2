import type { ChildProcess } from 'node:child_process';

import { ToolError } from '@org/mcp-decorators';

import { notStarted, signalGroup, startGroup } from './process-group.ts';

/** One run of git. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends the run and everything it started; its reason is what the run rejects with. */
  readonly signal: AbortSignal;
  /** Bytes of stdout after which git is ended; what it wrote until then counts. */
  readonly maxBytes: number;
  /** Sent to stdin, which is closed otherwise. */
  readonly input?: string | Buffer | undefined;
  /** Told of stdout as it comes. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
  /** Asked after each part of stdout: no more of it is wanted, and git is ended. What was told is then not kept. */
  readonly isEnough?: (() => boolean) | undefined;
  /** Told of stderr as it comes, also of what is not kept. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

/** What a run wrote, and how it ended. */
export interface Output {
  /** Exit code; 0 for a run that was ended because there was enough. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** git was ended at a limit: there was more on stdout. */
  readonly truncated: boolean;
}

/** How long a process that was asked to end may take before it is killed. */
const GRACE_MS = 2000;
const MAX_STDERR = 65_536;

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
  const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const;
  return new Run(startGroup(command, args, { cwd, env, stdio }), options).outcome;
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

  // Whoever ignored SIGTERM holds the pipes open, and `close` would never come. With git gone nobody needs the time.
  #kill(): void {
    signalGroup(this.#child, 'SIGKILL');
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }
}
