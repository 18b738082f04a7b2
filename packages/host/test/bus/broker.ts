import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Doorway } from './doorway.ts';

/** What a password may have in it, so that every place that shows a URL is tried. */
export const PASSWORD = 'p@ss:w/rd?';

/** How a server is started and stopped. */
export interface BrokerProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
  /** What it says when it can be used. */
  readonly ready: string;
  readonly signal: NodeJS.Signals;
}

/** A real server that carries messages, in a directory of its own. */
export abstract class Broker implements AsyncDisposable {
  readonly directory: string = mkdtempSync(join(tmpdir(), 'mcp-bus-'));
  #running: ChildProcess | undefined;
  #doorway: Doorway | undefined;

  /** A way to the server that stays while it is stopped and started. */
  get doorway(): Doorway {
    if (this.#doorway === undefined) throw new Error('it was not started');
    return this.#doorway;
  }

  get url(): string {
    return this.urlWith(PASSWORD);
  }

  /** By the doorway that stays, or by one of the caller's. */
  abstract urlWith(password: string, doorway?: Doorway): string;

  /** Says something on a channel, as any program can. */
  abstract say(channel: string, payloads: readonly string[]): Promise<void>;

  async start(): Promise<void> {
    const { file, args, ready, options } = this.program;
    const running = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#running = running;
    await new Promise<void>((resolve, reject) => {
      running.once('error', reject);
      const said: string[] = [];
      for (const input of [running.stdout, running.stderr]) {
        createInterface({ input }).on('line', (line) => {
          said.push(line);
          if (line.includes(ready)) resolve();
        });
      }
      running.once('exit', () => reject(new Error(`${file} ended: ${said.join('\n')}`)));
    });
    this.#doorway ??= await Doorway.open(this.socket);
  }

  /** Ends the server, which tells nobody. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined || running.exitCode !== null) return;
    running.kill(this.program.signal);
    await once(running, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#doorway?.[Symbol.asyncDispose]();
    rmSync(this.directory, { recursive: true, force: true });
  }

  protected abstract get program(): BrokerProgram;

  /** The Unix socket that it listens on. */
  abstract get socket(): string;
}
