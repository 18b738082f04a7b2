import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Session, startProgram, type Era, type RunningProgram } from '@org/mcp-testing';

import { compiledProgram } from '../../support/compiled-program.ts';
import { RoundRobin, type Routing } from './round-robin.ts';

/** One process of the server. */
export interface Replica {
  readonly program: RunningProgram;
  readonly url: string;
}

/** How the processes are started. */
export interface ReplicaOptions {
  /** A text for each process, which its state key repeats 32 times. Processes with the same text have the same key. */
  readonly keys: readonly string[];
  readonly bus: string;
  readonly routing: Routing;
  /** Further flags of each process. */
  readonly flags?: readonly string[];
  /** Further flags of the first process. */
  readonly firstFlags?: readonly string[];
}

/** Several processes of one server behind a proxy, with a shared bus. */
export class Replicas implements AsyncDisposable {
  readonly processes: readonly Replica[];
  readonly proxy: RoundRobin;
  readonly #directory: string;

  private constructor(processes: readonly Replica[], proxy: RoundRobin, directory: string) {
    this.processes = processes;
    this.proxy = proxy;
    this.#directory = directory;
  }

  static async start({ keys, bus, routing, flags = [], firstFlags = [] }: ReplicaOptions): Promise<Replicas> {
    const directory = mkdtempSync(join(tmpdir(), 'mcp-replicas-'));
    const start = async (key: string, index: number): Promise<Replica> => {
      const file = join(directory, key);
      writeFileSync(file, key.repeat(32), { mode: 0o600 });
      return await startReplica(['--state-key-file', file, '--bus', bus, ...flags, ...(index === 0 ? firstFlags : [])]);
    };
    const processes = await Promise.all(keys.map(start));
    const proxy = await RoundRobin.before(
      processes.map(({ url }) => url),
      routing,
    );
    return new Replicas(processes, proxy, directory);
  }

  /** Connects a client through the proxy. */
  connect(era: Era): Promise<Session> {
    const answers = { elicitation: { ok: true } };
    return Session.open(new StreamableHTTPClientTransport(this.proxy.url), { era, answers }, () => Promise.resolve());
  }

  /** Ends the process with this id. */
  async kill(pid: unknown, signal: NodeJS.Signals): Promise<void> {
    const replica = this.processes.find(({ program }) => String(program.pid) === pid);
    if (replica === undefined) throw new Error(`no process ${String(pid)}`);
    replica.program.kill(signal);
    await replica.program.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy[Symbol.asyncDispose]();
    for (const { program } of this.processes) await program[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true });
  }
}

async function startReplica(flags: readonly string[]): Promise<Replica> {
  const { command, args: program = [] } = compiledProgram(new URL('several-program.ts', import.meta.url));
  const running = startProgram({ command, args: [...program, '--http', '0', ...flags] });
  const line = await running.stderr.next((each) => each.includes('serves at'));
  return { program: running, url: line.slice(line.indexOf('http')) };
}
