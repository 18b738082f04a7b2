import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { connectProcess, connectUrl, ERAS, type Session } from '@org/mcp-testing';

import { within } from '../support/within.ts';
import { Place } from '../fuzz/place.ts';
import type { Random } from '../support/random.ts';
import { listDescendants, type SoakedServer } from './soaked-servers.ts';
import { StartedServer } from './started-server.ts';

/** Number of clients over HTTP at a time. One more client uses a second server process over stdio. */
const CLIENTS = 6;

/** Maximum number of acts of one client before it leaves. */
const MAX_ACTS = 10;

/** Time in milliseconds before the first measurement, in which caches fill and threads start. */
const WARM_UP_MS = 3000;

/** Time in milliseconds within which a server must have released everything of clients that have left. */
const SETTLING_MS = 60_000;
const CHECK_MS = 2000;

/** Time in milliseconds until the sessions of all clients that left have expired. */
const EXPIRING_MS = 8000;

const ANSWER_TIMEOUT_MS = 60_000;

/**
 * Maximum growth of the number of descriptors. Pools may have a few more sockets and pipes. A leak of one descriptor for each
 * act would be many times larger.
 */
const MAX_DESCRIPTORS = 12;
/**
 * Maximum growth of the number of child processes. A server keeps one process that reads objects or copies files, and that
 * process may start after the first measurement.
 */
const MAX_PROCESSES = 1;
/** Maximum growth of the memory in MiB. Heaps of idle threads vary by some tens of MiB. */
const MAX_GROWTH = 96;

/**
 * Counts of what clients and disturbances did, the resources of the server before and after that, and the problems that were
 * found.
 */
export interface SoakReport {
  readonly acts: Readonly<Record<string, number>>;
  readonly before: Held;
  readonly after: Held;
  readonly problems: readonly string[];
}

/** Resources that a process holds: file descriptors, descendant processes and memory. */
interface Held {
  readonly descriptors: number;
  readonly processes: number;
  /** Resident memory in MiB. */
  readonly memory: number;
}

/**
 * Lets clients of both eras call, cancel, subscribe, and leave with and without notice. Meanwhile, files change in bursts or the
 * database crashes, and a second server process on the same directory is killed. Afterwards the resources of the server may have
 * grown only within the limits above.
 */
export async function soakServer(server: SoakedServer, random: Random, seconds: number): Promise<SoakReport> {
  await using place = await Place.create(server);
  await using program = await StartedServer.start(server, place);
  const run = new Soak(server, place, { url: program.url, pid: program.pid, random });
  await run.live(WARM_UP_MS);
  const before = await run.settle(undefined);
  await run.live(seconds * 1000);
  const after = await run.settle(before);
  run.problems.push(...(await program.end()));
  if (!holdsNoMore(after, before)) run.problems.push(`descriptors or processes remain: ${JSON.stringify({ before, after })}`);
  if (after.memory > before.memory + MAX_GROWTH)
    run.problems.push(`the memory grew from ${before.memory} to ${after.memory} MiB`);
  return { acts: run.acts, before, after, problems: [...run.problems, ...(await place.damage()), ...(await place.leftovers())] };
}

interface Target {
  readonly url: string;
  readonly pid: number;
  readonly random: Random;
}

type Act = 'call' | 'cancel' | 'abandon' | 'list' | 'subscribe';

class Soak {
  readonly acts: Record<string, number> = {};
  readonly problems: string[] = [];
  readonly #server: SoakedServer;
  readonly #place: Place;
  readonly #target: Target;

  constructor(server: SoakedServer, place: Place, target: Target) {
    this.#server = server;
    this.#place = place;
    this.#target = target;
  }

  /** Runs all clients and disturbances until the time is over or a problem is found. */
  async live(milliseconds: number): Promise<void> {
    const deadline = performance.now() + milliseconds;
    const isOver = (): boolean => performance.now() >= deadline || this.problems.length > 0;
    const clients = Array.from({ length: CLIENTS }, () => this.#visit(isOver));
    const around = [this.#disturb(isOver), this.#killNeighbour(isOver)];
    const ends = [...clients, ...around].map((each) => each.catch((error: unknown) => this.#fail(error)));
    await Promise.all(ends);
  }

  /**
   * Waits until sessions have expired. If `before` is given, also waits until the server holds no more resources than before, or
   * until a time limit. Returns the resources that the server holds.
   */
  async settle(before: Held | undefined): Promise<Held> {
    const deadline = performance.now() + SETTLING_MS;
    await delay(EXPIRING_MS);
    for (;;) {
      await delay(CHECK_MS);
      const held = await readHeld(this.#target.pid);
      if (before === undefined || holdsNoMore(held, before) || performance.now() > deadline) return held;
    }
  }

  #fail(error: unknown): void {
    const data = error instanceof Error && 'data' in error ? JSON.stringify(error.data) : '';
    const stack = error instanceof Error ? error.stack : '';
    this.problems.push(`${String(error)} ${data} ${stack}`.slice(0, 1500));
  }

  #count(act: string): void {
    this.acts[act] = (this.acts[act] ?? 0) + 1;
  }

  async #visit(isOver: () => boolean): Promise<void> {
    const { random, url } = this.#target;
    while (!isOver()) {
      const session = await connectUrl(url, { era: random.pick(ERAS) }).catch(requireUnused);
      if (session === undefined) continue;
      try {
        for (let left = 1 + random.below(MAX_ACTS); left > 0 && !isOver(); left -= 1) await this.#act(session);
      } catch (error) {
        if (!(error instanceof Left) && !wasUnused(error)) this.#fail(error);
      } finally {
        await session[Symbol.asyncDispose]();
      }
    }
  }

  async #act(session: Session): Promise<void> {
    const act = this.#target.random.pick<Act>(['call', 'call', 'call', 'call', 'list', 'cancel', 'abandon', 'subscribe']);
    this.#count(act);
    await this.#do[act](session);
  }

  readonly #do: Readonly<Record<Act, (session: Session) => Promise<void>>> = {
    call: (session) => this.#call(session),
    list: async ({ client }) => void (await client.listTools()),
    cancel: async ({ client }) => {
      const [name, args] = this.#server.slow;
      const signal = AbortSignal.timeout(1 + this.#target.random.below(30));
      await client.callTool({ name, arguments: { ...args } }, { signal }).catch(() => undefined);
    },
    abandon: async ({ client }) => {
      const [name, args] = this.#server.slow;
      client.callTool({ name, arguments: { ...args } }).catch(() => undefined);
      await delay(this.#target.random.below(30));
      await client.close();
      throw new Left();
    },
    subscribe: async (session) => {
      const uri = this.#server.watched?.(this.#place.work);
      if (uri === undefined) return;
      const updates = await session.subscribe(uri);
      await within(updates.next(), 1000);
      await updates[Symbol.asyncDispose]();
    },
  };

  async #call({ client }: Session): Promise<void> {
    const [name, args] = this.#server.calls(this.#target.random);
    const result = await client.callTool({ name, arguments: { ...args } }, { timeout: ANSWER_TIMEOUT_MS });
    const text = JSON.stringify(result.content);
    if (result.isError === true && !this.#server.tolerated.test(text)) throw new Error(`${name} failed: ${text}`);
  }

  async #disturb(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await delay(500);
      this.#count('disturbance');
      await this.#server.disturb(this.#place.work, this.#target.pid);
    }
  }

  /** Repeatedly starts a second server process on the same directory, and kills this process during a call. */
  async #killNeighbour(isOver: () => boolean): Promise<void> {
    const { random } = this.#target;
    while (!isOver()) {
      await using session = await connectProcess(this.#place.program(this.#server), { era: random.pick(ERAS) });
      await this.#call(session).catch((error: unknown) =>
        this.problems.push(`beside the server: ${String(error).slice(0, 1000)}`),
      );
      const { transport } = session.client;
      const [name, args] = this.#server.calls(random);
      session.client.callTool({ name, arguments: { ...args } }).catch(() => undefined);
      await delay(random.below(10));
      const pid = transport !== undefined && 'pid' in transport ? transport.pid : undefined;
      if (typeof pid === 'number') process.kill(pid, 'SIGKILL');
      this.#count('kill');
    }
  }
}

/**
 * Whether a request failed because the server closed a connection on which it had answered no request. A connection that was
 * opened for a cancelled request stays unused. The server closes an unused connection shortly before the time limit for headers.
 * The client may send its next request on this connection at the same moment.
 */
function wasUnused(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const socket: unknown = Object(cause).socket;
  return Object(socket).bytesRead === 0;
}

function requireUnused(error: unknown): undefined {
  if (!wasUnused(error)) throw error;
}

/** Signals that the client has left in the middle of a visit. */
class Left extends Error {}

function holdsNoMore(after: Held, before: Held): boolean {
  return after.descriptors <= before.descriptors + MAX_DESCRIPTORS && after.processes <= before.processes + MAX_PROCESSES;
}

async function readHeld(pid: number): Promise<Held> {
  const [descriptors, status, processes] = await Promise.all([
    readdir(`/proc/${pid}/fd`),
    readFile(`/proc/${pid}/status`, 'utf8'),
    listDescendants(pid),
  ]);
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  return { descriptors: descriptors.length, processes: processes.length, memory: Math.round(kilobytes / 1024) };
}
