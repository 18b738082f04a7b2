import type { Client } from 'pg';

import { loadPg } from './load-pg.ts';
import type { Source } from './source.ts';

/** A connection of its own, for looking at and ending what the others do; opened when first used. */
export class Control implements AsyncDisposable {
  readonly #source: Source;
  #client: Promise<Client> | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  /** The first row, its values as text. */
  async row(text: string, values: readonly (string | number | null)[]): Promise<readonly (string | null)[]> {
    this.#client ??= this.#connect();
    const client = await this.#client;
    // Without values pg would use the simple protocol, on which a text may hold several statements.
    const query = { text, values: [...values], rowMode: 'array' as const, types: AS_TEXT, queryMode: 'extended' };
    return (await client.query<(string | null)[]>(query)).rows[0] ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<Client> {
    const [pg, config] = await Promise.all([loadPg(), this.#source.config()]);
    const client = new pg.Client({ ...config, statement_timeout: TIMEOUT_MS, fallback_application_name: 'mcp-sql control' });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('SET default_transaction_read_only = on');
    return client;
  }
}

const TIMEOUT_MS = 2000;
const AS_TEXT = { getTypeParser: () => String };
