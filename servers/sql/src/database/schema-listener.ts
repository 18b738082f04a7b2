import type { Client } from 'pg';

import { loadPg } from './load-pg.ts';
import type { Source } from './source.ts';

/** What a look at the schema costs, and how soon a change shows. */
const POLL_MS = 1000;

const CONNECT_MS = 10_000;
const STATEMENT_MS = 5000;

/** Event triggers notify this channel: those of the embedded server, and those that somebody installed. */
export const SCHEMA_CHANNEL = 'mcp_schema_changed';

/** What a listener is told: that the schema may be another, that the database says it is, or that events may have been missed. */
export interface SchemaNews {
  readonly kind: 'changed' | 'announced' | 'reconnected';
}

/**
 * Notices that the schema of a database may have changed: by LISTEN at once, where an event trigger notifies; by the counters of the
 * catalogs within a second or two; and where those cannot be read, by supposing so again and again.
 */
export class SchemaListener implements AsyncDisposable {
  readonly #source: Source;
  readonly #heard: (news: SchemaNews) => void;
  #client: Client | undefined;
  #counters: string | undefined;
  #isBroken = false;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(source: Source, heard: (news: SchemaNews) => void) {
    this.#source = source;
    this.#heard = heard;
  }

  /** Resolves when a change right after is noticed, or once the database cannot be reached; it is then tried again. */
  start(): Promise<void> {
    this.#looking = this.#look();
    return this.#looking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#close();
  }

  async #look(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#connect());
      const counters = await countersOf(client);
      const isOther = counters === undefined || counters !== this.#counters;
      const isFirst = this.#counters === undefined && !this.#isBroken;
      this.#counters = counters;
      if (this.#isBroken) this.#tell('reconnected');
      else if (isOther && !(isFirst && counters !== undefined)) this.#tell('changed');
      this.#isBroken = false;
    } catch {
      // What is done meanwhile is not seen, and that is told when it works again.
      this.#isBroken = true;
      await this.#close();
    }
    if (this.#hasEnded) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
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
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ channel }) => {
      if (channel === SCHEMA_CHANNEL) this.#tell('announced');
    });
    await client.connect();
    this.#client = client;
    await client.query('SET default_transaction_read_only = on');
    // Some servers and poolers cannot; the counters tell there.
    await client.query(`LISTEN ${SCHEMA_CHANNEL}`).catch(() => undefined);
    return client;
  }

  #lost(client: Client): void {
    if (this.#client !== client || this.#hasEnded) return;
    this.#client = undefined;
    this.#isBroken = true;
  }

  #tell(kind: SchemaNews['kind']): void {
    if (!this.#hasEnded) this.#heard({ kind });
  }

  async #close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}

/** How often rows of the catalogs were written; `undefined` where nobody counts. */
async function countersOf(client: Client): Promise<string | undefined> {
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
