import type { Client } from 'pg';

import { SCHEMA_CHANNEL } from '../embedded/schema-triggers.ts';
import { loadPg } from '../protocol/load-pg.ts';
import type { Source } from '../connect/source.ts';

/** Interval between two reads of the catalog statistics. A shorter interval detects changes earlier, but increases the load. */
const POLL_MS = 1000;

const CONNECT_MS = 10_000;
const STATEMENT_MS = 5000;

/**
 * `changed`: the schema may have changed. `announced`: an event trigger reported a change. `reconnected`: changes may have been missed
 * while the connection was lost.
 */
export interface SchemaEvent {
  readonly kind: 'changed' | 'announced' | 'reconnected';
}

/**
 * Detects that the schema of a database may have changed. LISTEN reports a change at once if an event trigger notifies. The statistics
 * of the catalogs reveal a change within about two seconds. If the statistics are unreadable, every poll reports a possible change.
 */
export class SchemaListener implements AsyncDisposable {
  readonly #source: Source;
  readonly #onEvent: (event: SchemaEvent) => void;
  #client: Client | undefined;
  #counters: string | undefined;
  #isBroken = false;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();

  constructor(source: Source, onEvent: (event: SchemaEvent) => void) {
    this.#source = source;
    this.#onEvent = onEvent;
  }

  /** Resolves when later changes will be detected, or when connecting has failed. A failed connection is retried at every poll. */
  start(): Promise<void> {
    this.#polling = this.#poll();
    return this.#polling;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    await this.#polling;
    await this.#close();
  }

  async #poll(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#connect());
      const counters = await readCounters(client);
      const isOther = counters === undefined || counters !== this.#counters;
      const isFirst = this.#counters === undefined && !this.#isBroken;
      this.#counters = counters;
      if (this.#isBroken) this.#notify('reconnected');
      else if (isOther && !(isFirst && counters !== undefined)) this.#notify('changed');
      this.#isBroken = false;
    } catch {
      // Changes during the outage are missed; after reconnecting, the listener receives `reconnected`.
      this.#isBroken = true;
      await this.#close();
    }
    if (this.#hasEnded) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll();
    }, POLL_MS).unref();
  }

  async #connect(): Promise<Client> {
    const [pg, config] = await Promise.all([loadPg(), this.#source.config()]);
    const client = new pg.Client({
      ...config,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      fallback_application_name: 'mcp-sql schema',
    });
    client.on('error', () => this.#onConnectionLost(client));
    client.on('end', () => this.#onConnectionLost(client));
    client.on('notification', ({ channel }) => {
      if (channel === SCHEMA_CHANNEL) this.#notify('announced');
    });
    await client.connect();
    this.#client = client;
    await client.query('SET default_transaction_read_only = on');
    // Some servers and poolers do not support LISTEN. The statistics still reveal changes.
    await client.query(`LISTEN ${SCHEMA_CHANNEL}`).catch(() => undefined);
    return client;
  }

  #onConnectionLost(client: Client): void {
    if (this.#client !== client || this.#hasEnded) return;
    this.#client = undefined;
    this.#isBroken = true;
  }

  #notify(kind: SchemaEvent['kind']): void {
    if (!this.#hasEnded) this.#onEvent({ kind });
  }

  async #close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}

/** Returns the total number of row changes in the catalogs as text, or `undefined` if the statistics cannot be read. */
async function readCounters(client: Client): Promise<string | undefined> {
  try {
    const query = { text: COUNTERS, rowMode: 'array' as const, queryMode: 'extended' };
    return (await client.query<(string | null)[]>(query)).rows[0]?.[0] ?? undefined;
  } catch (error) {
    if (error instanceof Error && 'severity' in error && error.severity === 'ERROR') return undefined;
    throw error;
  }
}

const COUNTERS = `
  select sum(n_tup_ins + n_tup_upd + n_tup_del)::text from pg_stat_sys_tables
  where schemaname = 'pg_catalog' and relname in ('pg_class', 'pg_attribute', 'pg_attrdef', 'pg_constraint', 'pg_index',
    'pg_proc', 'pg_type', 'pg_enum', 'pg_namespace', 'pg_description', 'pg_trigger', 'pg_policy', 'pg_inherits')`;
