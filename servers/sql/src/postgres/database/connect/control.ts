import type { Client } from 'pg';

import { SendableSql } from '../../policy/parse/sendable-sql.ts';
import { loadPg } from '../protocol/load-pg.ts';
import { guardMessages } from '../protocol/message-guard.ts';
import type { Source } from './source.ts';

/**
 * A separate connection that inspects, cancels and terminates other sessions. It is opened on first use, closed when idle, and
 * reopened after a loss. Queries run one at a time, each in a read-only transaction that is rolled back.
 */
export class Control implements AsyncDisposable {
  readonly #source: Source;
  #client: Promise<Client> | undefined;
  #lastQuery: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(source: Source) {
    this.#source = source;
  }

  /**
   * Returns the values of the first row of a query of this package, as text. Functions and operators are those of `pg_catalog`.
   * Rejects if the query takes longer than 2 s.
   */
  async row(text: string, values: readonly (string | number | null)[]): Promise<readonly (string | null)[]> {
    return this.#enqueue({ opening: CATALOG_OPENING, sql: SendableSql.own(text), values });
  }

  /**
   * Returns the plan of a caller's statement as JSON. Names resolve through the search path of the session, as when the statement
   * runs. Rejects if planning takes longer than 2 s.
   */
  async explain(sql: SendableSql, values: readonly (string | number | null)[]): Promise<string> {
    const [plan] = await this.#enqueue({ opening: OPENING, sql: sql.between('explain (format json) ', ''), values });
    return plan ?? '';
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

  async #enqueue(query: ControlQuery): Promise<readonly (string | null)[]> {
    const answer = this.#lastQuery.then(() => this.#query(query));
    this.#lastQuery = answer.then(ignore, ignore);
    return answer;
  }

  async #query({ opening, sql: { text }, values }: ControlQuery): Promise<readonly (string | null)[]> {
    clearTimeout(this.#idle);
    if (this.#closed) throw new Error('the control connection is closed');
    const client = await (this.#client ??= this.#connect());
    try {
      await client.query(opening);
      // Without values, pg would use the simple protocol, which accepts several statements in one text.
      const query = { text, values: [...values], rowMode: 'array' as const, types: AS_TEXT, queryMode: 'extended' };
      return (await client.query<(string | null)[]>(query)).rows[0] ?? [];
    } finally {
      // If ROLLBACK fails, the connection is unusable.
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
    // The error is ignored here, because a pending query rejects with the same error. Without a pending query, the next query
    // connects again.
    client.on('error', () => undefined);
    await client.connect();
    guardMessages(client, pg.Connection);
    return client;
  }
}

interface ControlQuery {
  /** Statements that begin the transaction of the query. */
  readonly opening: string;
  readonly sql: SendableSql;
  readonly values: readonly (string | number | null)[];
}

const TIMEOUT_MS = 2000;
// The settings are local to the transaction, because other clients share the session behind a pooler. Without
// `standard_conforming_strings`, the server could end a string of the caller's statement at a different place than the parser of
// the policy.
const OPENING = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${TIMEOUT_MS}; SET LOCAL standard_conforming_strings = on`;
// With another search path, operators that users created could take the place of the built-in ones.
const CATALOG_OPENING = `${OPENING}; SET LOCAL search_path = pg_catalog`;
const IDLE_MS = 30_000;
const AS_TEXT = { getTypeParser: () => String };

function ignore(): void {
  // The caller of `row` or `explain` receives the error.
}
