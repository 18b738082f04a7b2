import { ToolError } from '@org/mcp-decorators';
import type { Pool } from 'pg';

import { Connection } from './connection.ts';
import { sqlstateOf } from './failures.ts';
import { loadPg } from './load-pg.ts';
import { sessionSettings, startupOptions, type SessionLimits } from './settings.ts';
import type { Source } from './source.ts';

/** How many connections there are, and what bounds their sessions. */
export interface ConnectionLimits extends SessionLimits {
  readonly maxConnections: number;
  /** Longest to wait for a connection, be it made or come free. */
  readonly connectTimeoutMs: number;
}

/** The connections to a source: made when needed, kept a while, never more than `maxConnections`. */
export class Connections implements AsyncDisposable {
  readonly #source: Source;
  readonly #limits: ConnectionLimits;
  #pool: Promise<Pool> | undefined;
  #bare = false;

  constructor(source: Source, limits: ConnectionLimits) {
    this.#source = source;
    this.#limits = limits;
  }

  /** Sessions do not start with their settings: a pooler refused them. */
  get bare(): boolean {
    return this.#bare;
  }

  /**
   * Takes a connection, or throws the signal's reason if none came free before it was aborted.
   *
   * @throws ToolError OVERLOADED when none came free in time
   */
  async take(signal: AbortSignal): Promise<Connection> {
    const taking = this.#take();
    const given = await Promise.race([taking, aborted(signal)]);
    if (given !== undefined) return given;
    // One that comes too late goes back.
    taking.then(
      (connection) => connection.giveBack(),
      () => undefined,
    );
    throw signal.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.end();
  }

  async #take(): Promise<Connection> {
    const bare = this.#bare;
    try {
      return await this.#connect();
    } catch (error) {
      if (bare || !REFUSED_SETTINGS.has(sqlstateOf(error) ?? '')) throw this.#explained(error);
      this.#goBare();
      return this.#connect();
    }
  }

  async #connect(): Promise<Connection> {
    this.#pool ??= this.#open();
    // One that could not be opened is opened anew by the next call.
    this.#pool.catch(() => {
      this.#pool = undefined;
    });
    return new Connection(await (await this.#pool).connect());
  }

  #goBare(): void {
    if (this.#bare) return;
    this.#bare = true;
    const refused = this.#pool;
    this.#pool = undefined;
    refused?.then((pool) => pool.end()).catch(() => undefined);
  }

  async #open(): Promise<Pool> {
    const [pg, config] = await Promise.all([loadPg(), this.#source.config()]);
    const settings = this.#bare ? '' : startupOptions(sessionSettings(this.#limits));
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
    // An idle connection that the server closed is made again when it is needed.
    pool.on('error', () => undefined);
    return pool;
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof Error) || error.message !== POOL_TIMEOUT) return error;
    const { maxConnections, connectTimeoutMs } = this.#limits;
    return new ToolError('OVERLOADED', `all ${maxConnections} connections were in use for ${connectTimeoutMs} ms`, {
      cause: error,
      hint: 'try again when other calls are done, or start the server with more --max-connections',
      data: { retryable: true },
    });
  }
}

const IDLE_MS = 60_000;
/** What poolers and other engines answer to a setting at start-up that they do not know. */
const REFUSED_SETTINGS = new Set(['08P01', '0A000', '22023', '42501', '42704']);
/** What pg's pool says when none of its connections came free; one that cannot be made fails otherwise. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
