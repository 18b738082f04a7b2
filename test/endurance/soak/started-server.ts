import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { within } from '../support/within.ts';
import type { Place } from '../fuzz/place.ts';
import type { SoakedServer } from './soaked-servers.ts';

/** The idle time is short, so that the sessions of clients that leave without notice expire during the test. */
const FLAGS = ['--http', '0', '--session-idle', '5s', '--log-level', 'info'];

const START_TIMEOUT_MS = 30_000;
const END_TIMEOUT_MS = 20_000;

/** A server over HTTP that runs until it is ended. A program of `startProgram` is killed after two minutes. */
export class StartedServer implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcessByStdio<null, null, Readable>;
  readonly #lines: string[];

  private constructor(child: ChildProcessByStdio<null, null, Readable>, lines: string[], url: string) {
    this.#child = child;
    this.#lines = lines;
    this.url = url;
  }

  static async start(server: SoakedServer, place: Place): Promise<StartedServer> {
    const { command, args, cwd, env } = place.program(server, FLAGS);
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
    const lines: string[] = [];
    const url = new Promise<string>((resolve) => {
      createInterface(child.stderr).on('line', (line) => {
        lines.push(line);
        const [found] = /https?:\S+/.exec(line) ?? [];
        if (found !== undefined && line.includes('serves at ')) resolve(found);
      });
    });
    const found = await within(url, START_TIMEOUT_MS);
    if (found !== undefined) return new StartedServer(child, lines, found);
    child.kill('SIGKILL');
    throw new Error(`the server does not start: ${lines.join('\n')}`);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Ends the server with SIGTERM. Returns what is wrong with its end and with its log. */
  async end(): Promise<readonly string[]> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const [code] = (await within(exited, END_TIMEOUT_MS)) ?? ['no exit'];
    const errors = this.#lines.filter((line) => / error /.test(line));
    return [
      ...(code === 0 ? [] : [`the server ended with ${code}: ${this.#lines.slice(-5).join('\n')}`]),
      ...errors.slice(0, 5).map((line) => `the server logged ${line}`),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    this.#child.stderr.destroy();
  }
}
