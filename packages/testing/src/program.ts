import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { getDefaultEnvironment, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';

import { Inbox, type Received } from './session/inbox.ts';

/** Maximum running time of a program in milliseconds; then the program is killed. */
const MAX_RUNTIME_MS = 120_000;

/** The exit code and the complete output of a program that has ended. */
export interface ProgramEnd {
  /** Exit code; `null` if a signal ended the program. */
  readonly code: number | null;
  /** The standard output as UTF-8 text. */
  readonly stdout: string;
  /** The error output as UTF-8 text. */
  readonly stderr: string;
}

/** A running program. `await using` kills it if it has not ended. */
export class RunningProgram implements AsyncDisposable {
  /** Lines of the standard output. */
  readonly stdout: Received<string>;
  /** Lines of the error output. */
  readonly stderr: Received<string>;
  /** Resolves after the program has ended and its output is complete. Rejects if the program could not be started. */
  readonly ended: Promise<ProgramEnd>;
  readonly #child: ChildProcessWithoutNullStreams;

  /** See {@link startProgram}. */
  constructor({ command, args = [], env, cwd }: StdioServerParameters) {
    this.#child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      cwd,
      timeout: MAX_RUNTIME_MS,
      killSignal: 'SIGKILL',
    });
    const { stdin, stdout, stderr } = this.#child;
    // The error of a write is ignored, because `ended` reports why the program has ended.
    stdin.on('error', () => undefined);
    this.stdout = readLines(stdout);
    this.stderr = readLines(stderr);
    this.ended = waitForEnd(this.#child);
    this.ended.catch(() => undefined);
  }

  /** Process id; `undefined` if the program could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The standard input. Writing to a program that has ended has no effect. */
  get stdin(): Writable {
    return this.#child.stdin;
  }

  /** Sends a signal; has no effect if the program has ended. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills the program and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.kill('SIGKILL');
    // Child processes of the program may keep its output open.
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    await this.ended.catch(() => undefined);
  }
}

/**
 * Starts a program with the same environment as `connectProcess`: `HOME`, `PATH` and similar variables, and the variables in `env`. The
 * program is killed at the end of its scope (`await using`), and after two minutes at the latest.
 */
export function startProgram(program: StdioServerParameters): RunningProgram {
  return new RunningProgram(program);
}

/** Runs a program without input until it ends, like {@link startProgram}. Rejects if the program cannot be started. */
export async function runProgram(program: StdioServerParameters): Promise<ProgramEnd> {
  await using running = startProgram(program);
  running.stdin.end();
  return await running.ended;
}

function readLines(stream: Readable): Received<string> {
  const lines = new Inbox<string>('line');
  createInterface(stream)
    .on('line', (line) => lines.add(line))
    .on('close', () => lines.end());
  return lines;
}

async function waitForEnd(child: ChildProcessWithoutNullStreams): Promise<ProgramEnd> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      written[name] += chunk;
    });
  await once(child, 'close');
  return { code: child.exitCode, ...written };
}
