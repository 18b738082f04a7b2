import type { Pool } from 'pg';

import { Connection } from './connection.ts';
import { loadPg } from './load-pg.ts';
import type { Source } from './source.ts';

/** The connections to a source: made when needed, kept a while, never more than `max`. */
export class Connections implements AsyncDisposable {
  readonly #source: Source;
  readonly #max: number;
  #pool: Promise<Pool> | undefined;

  constructor(source: Source, max: number) {
    this.#source = source;
    this.#max = max;
  }

  /** Takes a connection, or throws the signal's reason if none came free before it was aborted. */
  async take(signal: AbortSignal): Promise<Connection> {
    const taking = this.#take();
    const over = new AbortController();
    const given = await Promise.race([taking, aborted(signal, over.signal)]).finally(() => over.abort());
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
    this.#pool ??= this.#open();
    return new Connection(await (await this.#pool).connect());
  }

  async #open(): Promise<Pool> {
    const [pg, config] = await Promise.all([loadPg(), this.#source.config()]);
    const pool = new pg.Pool({ ...config, max: this.#max, idleTimeoutMillis: IDLE_MS, fallback_application_name: 'mcp-sql' });
    // An idle connection that the server closed is made again when it is needed.
    pool.on('error', () => undefined);
    return pool;
  }
}

const IDLE_MS = 60_000;

/** Resolves when the signal is aborted; stops to listen to it when the wait is over. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: over });
  });
}
