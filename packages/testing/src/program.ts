import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { getDefaultEnvironment, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';

import { Inbox, type Received } from './received.ts';

/** Milliseconds after which a program is killed that nothing else has ended. */
const LIMIT_MS = 120_000;

/** How a program ended, and all it wrote. */
export interface ProgramEnd {
  /** The exit code; `null` if a signal ended it. */
  readonly code: number | null;
  /** As UTF-8. */
  readonly stdout: string;
  /** As UTF-8. */
  readonly stderr: string;
}

/** A program that runs; `await using` kills it, if it has not ended. */
export class RunningProgram implements AsyncDisposable {
  /** The lines it wrote. */
  readonly stdout: Received<string>;
  /** The lines it wrote there. */
  readonly stderr: Received<string>;
  /** Resolves when it has ended and its output is complete; rejects if it could not be started. */
  readonly ended: Promise<ProgramEnd>;
  readonly #child: ChildProcessWithoutNullStreams;

  /** See {@link startProgram}. */
  constructor({ command, args = [], env, cwd }: StdioServerParameters) {
    this.#child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      cwd,
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const { stdin, stdout, stderr } = this.#child;
    // Whoever writes to a program that is gone learns it from `ended`.
    stdin.on('error', () => undefined);
    this.stdout = linesOf(stdout);
    this.stderr = linesOf(stderr);
    this.ended = endOf(this.#child);
    this.ended.catch(() => undefined);
  }

  /** `undefined` if it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What it reads; writing to a program that is gone does nothing. */
  get stdin(): Writable {
    return this.#child.stdin;
  }

  /** Sends a signal; does nothing if it has ended. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills it and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.kill('SIGKILL');
    // What it started may hold its output open.
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    await this.ended.catch(() => undefined);
  }
}

/**
 * Starts a program with the environment that `connectProcess` gives it: `HOME`, `PATH` and the like, and what `env` adds.
 * It is killed at the end of its scope (`await using`), and after two minutes at the latest.
 */
export function startProgram(program: StdioServerParameters): RunningProgram {
  return new RunningProgram(program);
}

/** Runs a program without input to its end, in the way of {@link startProgram}. Rejects if it cannot be started. */
export async function runProgram(program: StdioServerParameters): Promise<ProgramEnd> {
  await using running = startProgram(program);
  running.stdin.end();
  return await running.ended;
}

function linesOf(stream: Readable): Received<string> {
  const lines = new Inbox<string>('line');
  createInterface(stream)
    .on('line', (line) => lines.add(line))
    .on('close', () => lines.end());
  return lines;
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<ProgramEnd> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      written[name] += chunk;
    });
  await once(child, 'close');
  return { code: child.exitCode, ...written };
}
