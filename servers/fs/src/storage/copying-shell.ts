import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';

import { errorCode } from './error-code.ts';
import { killGroup, startShell } from './system-shell.ts';

/** Arguments of `cp` before the two paths. */
export const COPY = '--attributes-only --preserve=mode,xattr --';

/** Exit code of a shell that finds no `cp` of GNU coreutils. */
const NO_CP = 3;

/** Reads two paths from each line, copies the attributes and reports the result. */
const SCRIPT = `
case "$(cp --help 2>/dev/null)" in *--attributes-only*) ;; *) exit ${NO_CP} ;; esac
while read -r from to; do
  if cp ${COPY} "$from" "$to" 2>/dev/null; then echo copied; else echo failed; fi
done`;

/** Time in milliseconds that an idle shell gets to exit. */
const EXIT_MS = 1000;

/**
 * `failed` if `cp` failed or the shell ended, `late` if the file system did not respond in time, `unable` if no suitable `cp`
 * exists.
 */
export type Answer = 'copied' | 'failed' | 'late' | 'unable';

/**
 * Persistent shell that copies attributes and answers in FIFO order. Node.js has no functions for extended attributes. The
 * shell forks instead of the server, because a fork of the server would block the server. The longest block measured was 16 ms,
 * for a server with 100 MB of memory on a busy machine.
 */
export class CopyingShell {
  readonly #process: ChildProcess;
  readonly #timeoutMs: number;
  readonly #waiting: ((answer: Answer) => void)[] = [];
  readonly #ended: Promise<void>;
  #resolveEnded: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  isGone = false;

  /** @param timeoutMs timeout of each copy, in milliseconds */
  constructor({ programs, timeoutMs }: { readonly programs: string; readonly timeoutMs: number }) {
    this.#timeoutMs = timeoutMs;
    this.#ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.#process = startShell(SCRIPT, { programs, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#process.once('error', (error) => this.#end(errorCode(error) === 'ENOENT' ? 'unable' : 'failed'));
    // Not `close`: a program that the shell has started may keep the pipe open.
    this.#process.once('exit', (code) => this.#end(code === NO_CP ? 'unable' : 'failed'));
    this.#process.unref();
    const { stdin, stdout } = this.#process;
    for (const stream of [stdin, stdout]) if (stream instanceof Socket) stream.unref();
    // The event `exit` reports the same failure.
    stdin?.on('error', () => undefined);
    if (stdout instanceof Socket)
      createInterface(stdout).on('line', (line) => this.#answer(line === 'copied' ? 'copied' : 'failed'));
  }

  ask(from: string, to: string): Promise<Answer> {
    const answer = new Promise<Answer>((resolve) => this.#waiting.push(resolve));
    if (this.#waiting.length === 1) this.#startTimer();
    this.#process.stdin?.write(`${from} ${to}\n`);
    return answer;
  }

  /**
   * Closes stdin and resolves when the shell has exited. After one second, kills the shell and resolves without waiting for its
   * exit.
   */
  async end(): Promise<void> {
    if (this.isGone) return;
    const timer = setTimeout(() => this.#kill(), EXIT_MS);
    this.#process.stdin?.end();
    await this.#ended;
    clearTimeout(timer);
  }

  #answer(answer: Answer): void {
    this.#waiting.shift()?.(answer);
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#startTimer();
  }

  #startTimer(): void {
    this.#timer = setTimeout(() => {
      this.#waiting.shift()?.('late');
      this.#kill();
    }, this.#timeoutMs);
  }

  /** Kills the shell without waiting for its exit: a program that waits for an unresponsive file system cannot be killed. */
  #kill(): void {
    killGroup(this.#process);
    this.#end('failed');
  }

  #end(answer: Answer): void {
    if (this.isGone) return;
    this.isGone = true;
    clearTimeout(this.#timer);
    for (const resolve of this.#waiting.splice(0)) resolve(answer);
    this.#process.stdin?.destroy();
    this.#process.stdout?.destroy();
    this.#resolveEnded();
  }
}
