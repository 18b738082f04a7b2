import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Doorway } from './doorway.ts';

/** A password with characters that must be encoded in a URL. */
export const PASSWORD = 'p@ss:w/rd?';

/** How a broker is started and stopped. */
export interface BrokerProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
  /** Part of the line that the program prints when it is ready. */
  readonly ready: string;
  readonly signal: NodeJS.Signals;
}

/** A PostgreSQL or Redis server process that forwards messages, with a temporary directory of its own. */
export abstract class Broker implements AsyncDisposable {
  readonly directory: string = mkdtempSync(join(tmpdir(), 'mcp-bus-'));
  #running: ChildProcess | undefined;
  #doorway: Doorway | undefined;

  /** A proxy to the server that keeps its port while the server restarts. */
  get doorway(): Doorway {
    if (this.#doorway === undefined) throw new Error('it was not started');
    return this.#doorway;
  }

  get url(): string {
    return this.urlWith(PASSWORD);
  }

  /**
   * Returns the URL of the server with this password. The port is that of the given doorway, or of the broker's own doorway by
   * default.
   */
  abstract urlWith(password: string, doorway?: Doorway): string;

  /** Publishes texts on a channel, as any program can. */
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

  /** Ends the server and its connections with the signal of its program. */
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

  /** The Unix socket on which the broker listens. */
  abstract get socket(): string;
}
