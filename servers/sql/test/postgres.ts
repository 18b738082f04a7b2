import { readFileSync } from 'node:fs';

import { stateDirectoryOf } from '@org/mcp-host';
import { connect, connectHttp, ERAS, type Era, type Session, type SessionOptions } from '@org/mcp-testing';
import type { Client, ClientConfig } from 'pg';
import { afterAll, beforeAll } from 'vitest';

import { locateNative } from '../src/database/embedded/binaries.ts';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts';
import { loadPg } from '../src/database/load-pg.ts';
import { PostgresOptions, PostgresServer } from '../src/index.ts';

/** What the statements of the fixtures refer to. */
export const GROUND: string = fixture('ground.sql');

/**
 * How long what nobody waits for may go on in the database. A second is what is promised of a machine that has the time
 * (`MCP_TEST_GONE_MS=1000`).
 */
export const GONE: { readonly timeout: number; readonly interval: number } = {
  timeout: Number(process.env['MCP_TEST_GONE_MS'] ?? 10_000),
  interval: 5,
};

/** One embedded PostgreSQL for all tests of a file, and its superuser. */
export interface TestDatabase {
  /** Runs SQL as superuser. */
  readonly asSuperuser: (sql: string) => Promise<readonly (readonly (string | null)[])[]>;
  /** A URL by which a role is read. */
  readonly url: (role?: 'reader' | 'superuser') => string;
  /** How a role connects. */
  readonly config: (role?: 'reader' | 'superuser') => ClientConfig;
  /** A server that reads the database as `mcp_ro`; without a policy, which has tests of its own. */
  readonly server: (given?: Partial<PostgresOptions>) => PostgresServer;
  /** A client of such a server. */
  readonly connect: (given?: Partial<PostgresOptions>, era?: Era, options?: Omit<SessionOptions, 'era'>) => Promise<Session>;
}

/** The transports that serve an object of the test's own, in both eras, for a `describe.each`. */
export const JOINED: readonly {
  readonly name: string;
  readonly era: Era;
  readonly join: (server: object) => Promise<Session>;
}[] = Object.entries({ memory: connect, HTTP: connectHttp }).flatMap(([transport, join]) =>
  ERAS.map((era) => ({ name: `${transport}, ${era}`, era, join: (server: object) => join(server, { era }) })),
);

export function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

/** Options with these values over the defaults. */
export function optionsWith(given: Partial<PostgresOptions>): PostgresOptions {
  return Object.assign(new PostgresOptions(), given);
}

/** A PostgreSQL, and as whom to connect to it. */
export interface StartedServer extends AsyncDisposable {
  readonly superuser: ClientConfig;
  readonly reader: ClientConfig;
}

interface TestDatabaseOptions {
  readonly sample?: boolean;
  /** Run as superuser once it is started. */
  readonly sql?: string;
  /** Of the embedded server, over ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Starts another one than the embedded. */
  readonly start?: () => Promise<StartedServer>;
}

/** Starts PostgreSQL before the tests of a file, and stops it after them. */
export function useDatabase({ sql = '', start, ...options }: TestDatabaseOptions): TestDatabase {
  let embedded: StartedServer | undefined;
  let superuser: Client | undefined;
  beforeAll(async () => {
    embedded = await (start?.() ??
      EmbeddedPostgres.start({ native: locateNative(), stateDirectory: stateDirectoryOf('mcp-sql', {}), ...options }));
    const { Client } = await loadPg();
    superuser = new Client(embedded.superuser);
    await superuser.connect();
    if (sql !== '') await superuser.query(sql);
  });
  afterAll(async () => {
    await superuser?.end();
    // The files after this one begin with it.
    if (embedded instanceof EmbeddedPostgres) await embedded.prepared();
    await embedded?.[Symbol.asyncDispose]();
  });
  let last: Promise<unknown> = Promise.resolve();
  const url = (role: 'reader' | 'superuser' = 'reader'): string => {
    const { user, password, host, port, database } = embedded![role];
    return `postgres://${user}:${String(password)}@/${database}?host=${host}&port=${port}`;
  };
  const server = (given: Partial<PostgresOptions> = {}): PostgresServer =>
    new PostgresServer(optionsWith({ url: url(), policy: 'off', ...given }));
  return {
    url,
    server,
    config: (role = 'reader') => embedded![role],
    asSuperuser: async (text) => {
      const types = { getTypeParser: () => String };
      const ask = () => superuser!.query<(string | null)[]>({ text, rowMode: 'array' as const, types });
      // One after the other: tests that run at once ask at once.
      const asked = last.then(ask, ask);
      last = asked;
      return (await asked).rows;
    },
    connect: (given = {}, era, options = {}) => connect(server(given), { ...options, ...(era && { era }) }),
  };
}

/** Sessions that were terminated, which is what is left to do with a statement that heeds no cancel. */
export async function terminated({ asSuperuser }: Pick<TestDatabase, 'asSuperuser'>): Promise<number> {
  const [row] = await asSuperuser('select sessions_killed from pg_stat_database where datname = current_database()');
  return Number(row?.[0]);
}

/** The code of a call that has to fail; `runs` if it does not. */
export async function codeOf(session: Session, name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const result = await session.client.callTool({ name, arguments: { ...args } });
  const [block] = result.content;
  const text = block?.type === 'text' ? block.text : '';
  return result.isError === true ? (/^[A-Z_]+(?=:)/.exec(text)?.[0] ?? text) : 'runs';
}
