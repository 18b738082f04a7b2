import { getCaller, FairSemaphore, ToolError } from '@org/mcp-decorators';
import type { Pool, PoolClient } from 'pg';

import { Connection } from '../connect/connection.ts';
import { getSqlstate } from '../errors/failures.ts';
import { loadPg } from '../protocol/load-pg.ts';
import { guardMessages } from '../protocol/message-guard.ts';
import { CLIENT_CHECKS, sessionSettings, startupOptions, type SessionLimits } from '../connect/settings.ts';
import type { Source } from '../connect/source.ts';
import { StuckBackends } from './stuck-backends.ts';
import { CoarseTimer } from './coarse-timer.ts';

/** Limits of the number of connections and of their sessions. */
export interface ConnectionLimits extends SessionLimits {
  readonly maxConnections: number;
  /** Whether `maxConnections` is a constant, so that an error does not suggest an option of the operator. */
  readonly isFixed?: boolean;
  /** Maximum time to wait for a new or free connection, in ms. */
  readonly connectTimeout: number;
}

/** Pool of connections to a source. Connections open on demand and close when idle; callers share at most `maxConnections`. */
export class Connections implements AsyncDisposable {
  /** Connections whose backends cannot be stopped; they count towards `maxConnections`. */
  readonly stuck: StuckBackends = new StuckBackends();
  readonly #source: Source;
  readonly #limits: ConnectionLimits;
  readonly #spare = new SpareClients();
  /** Every borrowed connection occupies one slot until its return. */
  readonly #slots: FairSemaphore;
  #pool: Promise<Pool> | undefined;
  #startupSettings: StartupSettings = 'with all';
  #opened: Pool | undefined;
  #closed = false;

  constructor(source: Source, limits: ConnectionLimits) {
    this.#source = source;
    this.#limits = limits;
    this.#slots = new FairSemaphore({
      slots: limits.maxConnections,
      maxWaiting: MAX_WAITING,
      refusal: (reason) => (reason === 'time' ? this.#overloaded() : tooManyWait()),
    });
  }

  /** Whether sessions start without the settings of this package, because a pooler or the server rejected the settings. */
  get bare(): boolean {
    return this.#startupSettings === 'bare';
  }

  /**
   * Takes a connection, or throws the reason of the signal if no connection became free before the abort.
   *
   * @throws ToolError OVERLOADED if no connection becomes free in time, if all connections belong to stuck backends, or if too many
   * calls of the caller wait
   */
  async take(signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    this.stuck.requireFreeConnection(this.#limits);
    const caller = getCaller(signal);
    const waiting = { signal, withinMs: this.#limits.connectTimeout };
    const slot = this.#slots.claim(caller) ?? (await this.#slots.enter(caller, waiting));
    const spare = this.#spare.take();
    return spare === undefined ? this.#takeFromPool(signal, slot) : this.#wrapClient(spare, slot);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#spare.release();
    this.stuck.release();
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.end();
  }

  async #takeFromPool(signal: AbortSignal, slot: Disposable): Promise<Connection> {
    const taking = this.#take(slot);
    taking.catch(() => slot[Symbol.dispose]());
    const given = await raceAbort(taking, signal);
    if (given !== undefined) return given;
    // A connection that arrives after the abort is returned to the pool.
    taking.then(
      (connection) => void connection.release(),
      () => undefined,
    );
    throw signal.reason;
  }

  async #take(slot: Disposable): Promise<Connection> {
    for (let attempt = 1; ; attempt += 1) {
      const pool = this.#getPool();
      try {
        return await this.#connect(pool, slot);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !this.#canRetry(pool, error)) throw this.#toPoolError(error);
      }
    }
  }

  async #connect(pool: Promise<Pool>, slot: Disposable): Promise<Connection> {
    this.#opened = await pool;
    return this.#wrapClient(await this.#opened.connect(), slot);
  }

  /** Returns true if connecting again may succeed: with fewer settings, with other options, or with a pool that another call opened. */
  #canRetry(pool: Promise<Pool>, error: unknown): boolean {
    // Another call has already replaced the pool.
    if (this.#pool !== undefined && this.#pool !== pool) return true;
    const tries = this.#dropSettings(error) || this.#source.planRetry?.(error);
    if (tries !== undefined) this.#forget(pool);
    return tries === true;
  }

  #dropSettings(error: unknown): true | undefined {
    if (this.#startupSettings === 'bare' || !REFUSED_SETTINGS.has(getSqlstate(error) ?? '')) return undefined;
    this.#startupSettings = FEWER_SETTINGS[this.#startupSettings];
    return true;
  }

  #getPool(): Promise<Pool> {
    if (this.#pool !== undefined) return this.#pool;
    const pool = this.#open();
    this.#pool = pool;
    // If the pool cannot be opened, the next call tries again.
    pool.catch(() => {
      if (this.#pool === pool) this.#pool = undefined;
    });
    return pool;
  }

  #wrapClient(client: PoolClient, slot: Disposable): Connection {
    const release = (broken: boolean): void => {
      this.#release(client, broken);
      slot[Symbol.dispose]();
    };
    return new Connection(client, release, this.#source.dial);
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
      connectionTimeoutMillis: this.#limits.connectTimeout,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      fallback_application_name: 'mcp-sql',
    });
    pool.on('connect', (client) => {
      guardMessages(client, pg.Connection);
      this.#spare.watch(client);
    });
    // If the server closes an idle connection, the error is ignored: the pool opens another connection for the next call.
    pool.on('error', () => undefined);
    return pool;
  }

  #settings(): string {
    if (this.#startupSettings === 'bare') return '';
    const settings = sessionSettings(this.#limits);
    return startupOptions(this.#startupSettings === 'with all' ? { ...settings, ...CLIENT_CHECKS } : settings);
  }

  #toPoolError(error: unknown): unknown {
    if (!(error instanceof Error) || error.message !== POOL_TIMEOUT) return error;
    return this.#overloaded(error);
  }

  #overloaded(cause?: Error): ToolError {
    const { maxConnections, connectTimeout, isFixed } = this.#limits;
    return new ToolError(
      'OVERLOADED',
      `no connection became free for this caller within ${connectTimeout} ms (maximum number of connections: ${maxConnections})`,
      {
        cause,
        hint: `try again when other calls have finished${isFixed === true ? '' : ', or start the server with a higher --max-connections'}`,
        data: { retryable: true },
      },
    );
  }
}

/** Maximum number of calls of one caller that wait for a connection. Clients usually send fewer calls at a time. */
const MAX_WAITING = 1000;

function tooManyWait(): ToolError {
  return new ToolError('OVERLOADED', `${MAX_WAITING} calls of this caller are already waiting for a connection`, {
    hint: 'try again when other calls have finished',
    data: { retryable: true },
  });
}

/**
 * Which settings are sent when a session starts. An older server may not know the settings in `CLIENT_CHECKS`, and a pooler may
 * reject all settings.
 */
type StartupSettings = 'with all' | 'without checks' | 'bare';

const FEWER_SETTINGS = { 'with all': 'without checks', 'without checks': 'bare' } as const;

/** Maximum number of attempts to connect: three variants of the settings, each with and without TLS. */
const MAX_ATTEMPTS = 6;

const IDLE_MS = 60_000;
/** SQLSTATEs with which poolers and other engines reject unknown settings at start-up. */
const REFUSED_SETTINGS = new Set(['08P01', '0A000', '22023', '42501', '42704']);
/** Message of pg's pool if no connection became free in time. Other messages mean that connecting failed. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** Returns the value of the promise, or `undefined` once the signal is aborted. */
async function raceAbort<Given>(promise: Promise<Given>, signal: AbortSignal): Promise<Given | undefined> {
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

/** Time from the first kept client until all unused clients are returned to the pool. The pool closes clients that stay idle. */
const KEPT_MS = 1000;

/**
 * Returned clients for which no call waits. The next call takes the client that was returned last, which is faster than taking a
 * client from the pool.
 */
class SpareClients {
  readonly #clients: PoolClient[] = [];
  readonly #ended = new WeakSet<PoolClient>();
  #timer: CoarseTimer | undefined;

  /** Removes the client when its connection fails. Without an error listener, a terminated backend would end this process. */
  watch(client: PoolClient): void {
    client.on('error', () => this.#drop(client));
  }

  take(): PoolClient | undefined {
    return this.#clients.pop();
  }

  keep(client: PoolClient): void {
    if (this.#ended.has(client)) return client.release(true);
    this.#clients.push(client);
    this.#timer ??= new CoarseTimer(KEPT_MS, () => this.release());
  }

  /** Returns all clients to the pool. */
  release(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    for (const client of this.#clients.splice(0)) client.release();
  }

  #drop(client: PoolClient): void {
    this.#ended.add(client);
    const index = this.#clients.indexOf(client);
    if (index !== -1) this.#clients.splice(index, 1).forEach((ended) => ended.release(true));
  }
}
