import { callerBehind, FairSlots, ToolError } from '@org/mcp-decorators';
import type { Pool, PoolClient } from 'pg';

import { Connection } from './connection.ts';
import { sqlstateOf } from './failures.ts';
import { loadPg } from './load-pg.ts';
import { guardMessages } from './message-guard.ts';
import { CLIENT_CHECKS, sessionSettings, startupOptions, type SessionLimits } from './settings.ts';
import type { Source } from './source.ts';
import { SpareClients } from './spare-clients.ts';
import { StuckBackends } from './stuck-backends.ts';

/** How many connections there are, and what bounds their sessions. */
export interface ConnectionLimits extends SessionLimits {
  readonly maxConnections: number;
  /** Whether no option of the operator sets `maxConnections`. */
  readonly isFixed?: boolean;
  /** Longest to wait for a connection, be it made or come free. */
  readonly connectTimeoutMs: number;
}

/** Pool of connections to a source. Connections open on demand and close when idle; callers share at most `maxConnections`. */
export class Connections implements AsyncDisposable {
  /** Connections whose backends cannot be stopped; they count towards `maxConnections`. */
  readonly stuck: StuckBackends = new StuckBackends();
  readonly #source: Source;
  readonly #limits: ConnectionLimits;
  readonly #spare = new SpareClients();
  /** A taken connection holds a slot until its return. */
  readonly #slots: FairSlots;
  #pool: Promise<Pool> | undefined;
  #starting: Starting = 'with all';
  #opened: Pool | undefined;
  #closed = false;

  constructor(source: Source, limits: ConnectionLimits) {
    this.#source = source;
    this.#limits = limits;
    this.#slots = new FairSlots({
      slots: limits.maxConnections,
      maxWaiting: MAX_WAITING,
      refusal: (reason) => (reason === 'time' ? this.#overloaded() : tooManyWait()),
    });
  }

  /** Sessions do not start with their settings: a pooler refused them. */
  get bare(): boolean {
    return this.#starting === 'bare';
  }

  /**
   * Takes a connection, or throws the signal's reason if none came free before it was aborted.
   *
   * @throws ToolError OVERLOADED if no connection becomes free in time, all belong to stuck backends, or too many calls of the
   * caller wait
   */
  async take(signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    this.stuck.requireRoom(this.#limits);
    const caller = callerBehind(signal);
    const waiting = { signal, withinMs: this.#limits.connectTimeoutMs };
    const slot = this.#slots.claim(caller) ?? (await this.#slots.enter(caller, waiting));
    const spare = this.#spare.take();
    return spare === undefined ? this.#takenFromPool(signal, slot) : this.#connectionOf(spare, slot);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#spare.release();
    this.stuck.release();
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.end();
  }

  async #takenFromPool(signal: AbortSignal, slot: Disposable): Promise<Connection> {
    const taking = this.#take(slot);
    taking.catch(() => slot[Symbol.dispose]());
    const given = await untilAborted(taking, signal);
    if (given !== undefined) return given;
    // One that comes too late goes back.
    taking.then(
      (connection) => void connection.giveBack(),
      () => undefined,
    );
    throw signal.reason;
  }

  async #take(slot: Disposable): Promise<Connection> {
    for (let attempt = 1; ; attempt += 1) {
      const pool = this.#current();
      try {
        return await this.#connect(pool, slot);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !this.#mayTryAgain(pool, error)) throw this.#explained(error);
      }
    }
  }

  async #connect(pool: Promise<Pool>, slot: Disposable): Promise<Connection> {
    this.#opened = await pool;
    return this.#connectionOf(await this.#opened.connect(), slot);
  }

  /** Whether connections are made in another way, now that one could not be made by this pool. */
  #mayTryAgain(pool: Promise<Pool>, error: unknown): boolean {
    // Another call was sooner.
    if (this.#pool !== undefined && this.#pool !== pool) return true;
    const tries = this.#startsWithLess(error) || this.#source.retries?.(error);
    if (tries !== undefined) this.#forget(pool);
    return tries === true;
  }

  #startsWithLess(error: unknown): true | undefined {
    if (this.#starting === 'bare' || !REFUSED_SETTINGS.has(sqlstateOf(error) ?? '')) return undefined;
    this.#starting = LESS[this.#starting];
    return true;
  }

  #current(): Promise<Pool> {
    if (this.#pool !== undefined) return this.#pool;
    const pool = this.#open();
    this.#pool = pool;
    // One that could not be opened is opened anew by the next call.
    pool.catch(() => {
      if (this.#pool === pool) this.#pool = undefined;
    });
    return pool;
  }

  #connectionOf(client: PoolClient, slot: Disposable): Connection {
    return new Connection(client, (released, broken) => {
      this.#release(released, broken);
      slot[Symbol.dispose]();
    });
  }

  #release(client: PoolClient, broken: boolean): void {
    if (broken || this.#closed || (this.#opened?.waitingCount ?? 0) > 0) client.release(broken);
    else this.#spare.keep(client);
  }

  #forget(pool: Promise<Pool>): void {
    if (this.#pool === pool) {
      this.#pool = undefined;
      this.#opened = undefined;
      this.#spare.release();
    }
    pool.then((refused) => refused.end()).catch(() => undefined);
  }

  async #open(): Promise<Pool> {
    const [pg, config] = await Promise.all([loadPg(), this.#source.config()]);
    const settings = this.#settings();
    const options = [config.options, settings].filter(Boolean).join(' ');
    const pool = new pg.Pool({
      ...config,
      ...(options !== '' && { options }),
      max: this.#limits.maxConnections,
      connectionTimeoutMillis: this.#limits.connectTimeoutMs,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      fallback_application_name: 'mcp-sql',
    });
    pool.on('connect', (client) => {
      guardMessages(client, pg.Connection);
      this.#spare.watch(client);
    });
    // An idle connection that the server closed is made again when it is needed.
    pool.on('error', () => undefined);
    return pool;
  }

  #settings(): string {
    if (this.#starting === 'bare') return '';
    const settings = sessionSettings(this.#limits);
    return startupOptions(this.#starting === 'with all' ? { ...settings, ...CLIENT_CHECKS } : settings);
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof Error) || error.message !== POOL_TIMEOUT) return error;
    return this.#overloaded(error);
  }

  #overloaded(cause?: Error): ToolError {
    const { maxConnections, connectTimeoutMs, isFixed } = this.#limits;
    return new ToolError(
      'OVERLOADED',
      `none of the ${maxConnections} connections became free for this caller within ${connectTimeoutMs} ms`,
      {
        cause,
        hint: `try again when other calls are done${isFixed === true ? '' : ', or start the server with more --max-connections'}`,
        data: { retryable: true },
      },
    );
  }
}

/** Maximum number of calls of one caller that wait for a connection. Clients usually send fewer at a time. */
const MAX_WAITING = 1000;

function tooManyWait(): ToolError {
  return new ToolError('OVERLOADED', `${MAX_WAITING} calls of this caller wait for a connection already`, {
    hint: 'try again when other calls are done',
    data: { retryable: true },
  });
}

/** With which settings sessions start: an older server has not all of them, and a pooler may take none. */
type Starting = 'with all' | 'without checks' | 'bare';

const LESS = { 'with all': 'without checks', 'without checks': 'bare' } as const;

/** All of them, with TLS and in clear. */
const MAX_ATTEMPTS = 6;

const IDLE_MS = 60_000;
/** What poolers and other engines answer to a setting at start-up that they do not know. */
const REFUSED_SETTINGS = new Set(['08P01', '0A000', '22023', '42501', '42704']);
/** What pg's pool says when none of its connections came free; one that cannot be made fails otherwise. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** What the promise gives, or nothing once the signal is aborted. */
async function untilAborted<Given>(promise: Promise<Given>, signal: AbortSignal): Promise<Given | undefined> {
  if (signal.aborted) return undefined;
  let stop: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
