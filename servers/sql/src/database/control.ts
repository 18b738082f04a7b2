import type { Client } from 'pg';

import type { SendableSql } from '../policy/sendable-sql.ts';
import { loadPg } from './load-pg.ts';
import { guardMessages } from './message-guard.ts';
import type { Source } from './source.ts';

/**
 * A connection of its own, for looking at and ending what the others do: opened when first used, closed when idle, opened again
 * when it was lost. It answers one question after the other, each in a read-only transaction that is rolled back.
 */
export class Control implements AsyncDisposable {
  readonly #source: Source;
  #client: Promise<Client> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(source: Source) {
    this.#source = source;
  }

  /** The first row, its values as text; what takes longer than 2 s fails. */
  async row(sql: SendableSql, values: readonly (string | number | null)[]): Promise<readonly (string | null)[]> {
    const answer = this.#turn.then(() => this.#ask(sql, values));
    this.#turn = answer.then(ignore, ignore);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#close();
  }

  async #close(): Promise<void> {
    clearTimeout(this.#idle);
    const closing = this.#client;
    this.#client = undefined;
    const client = await closing?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  async #ask({ text }: SendableSql, values: readonly (string | number | null)[]): Promise<readonly (string | null)[]> {
    clearTimeout(this.#idle);
    if (this.#closed) throw new Error('the control connection is closed');
    const client = await (this.#client ??= this.#connect());
    try {
      // Settings of the transaction, not of the session: behind a pooler the session is everybody's. Without the last one, strings of
      // a caller's statement could end elsewhere than the policy believes.
      await client.query(
        `BEGIN READ ONLY; SET LOCAL statement_timeout = ${TIMEOUT_MS}; SET LOCAL standard_conforming_strings = on`,
      );
      // Without values pg would use the simple protocol, on which a text may hold several statements.
      const query = { text, values: [...values], rowMode: 'array' as const, types: AS_TEXT, queryMode: 'extended' };
      return (await client.query<(string | null)[]>(query)).rows[0] ?? [];
    } finally {
      // One that does not answer, to this neither, is not asked again.
      await client.query('ROLLBACK').catch(() => this.#close());
      this.#closeWhenIdle();
    }
  }

  #closeWhenIdle(): void {
    this.#idle = setTimeout(() => void this.#close(), IDLE_MS).unref();
  }

  #connect(): Promise<Client> {
    const connecting = this.#open();
    const forget = (): void => {
      if (this.#client === connecting) this.#client = undefined;
    };
    connecting.then((client) => client.once('end', forget), forget);
    return connecting;
  }

  async #open(): Promise<Client> {
    const [pg, config] = await Promise.all([loadPg(), this.#source.config()]);
    const client = new pg.Client({ ...config, query_timeout: 2 * TIMEOUT_MS, fallback_application_name: 'mcp-sql control' });
    // Whoever asked is told.
    client.on('error', () => undefined);
    await client.connect();
    guardMessages(client, pg.Connection);
    return client;
  }
}

const TIMEOUT_MS = 2000;
const IDLE_MS = 30_000;
const AS_TEXT = { getTypeParser: () => String };

function ignore(): void {
  // Told to whoever asked.
}
