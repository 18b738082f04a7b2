import { readFileSync } from 'node:fs';

import { connect, type Era, type Session, type SessionOptions } from '@org/mcp-testing';
import type { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';

import { locateNative } from '../src/database/embedded/binaries.ts';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts';
import { loadPg } from '../src/database/load-pg.ts';
import { PostgresOptions, PostgresServer } from '../src/index.ts';

/** What the statements of the fixtures refer to. */
export const GROUND: string = fixture('ground.sql');

/** One embedded PostgreSQL for all tests of a file, and its superuser. */
export interface TestDatabase {
  /** Runs SQL as superuser. */
  readonly asSuperuser: (sql: string) => Promise<readonly (readonly (string | null)[])[]>;
  /** A URL by which a role is read. */
  readonly url: (role?: 'reader' | 'superuser') => string;
  /** A client of a server that reads the database as `mcp_ro`. */
  readonly connect: (given?: Partial<PostgresOptions>, era?: Era, options?: Omit<SessionOptions, 'era'>) => Promise<Session>;
}

export function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

/** Options with these values over the defaults. */
export function optionsWith(given: Partial<PostgresOptions>): PostgresOptions {
  return Object.assign(new PostgresOptions(), given);
}

/** Starts PostgreSQL before the tests of a file, and stops it after them. */
export function useDatabase({ sample = false, sql = '' }: { readonly sample?: boolean; readonly sql?: string }): TestDatabase {
  let embedded: EmbeddedPostgres | undefined;
  let superuser: Client | undefined;
  beforeAll(async () => {
    embedded = await EmbeddedPostgres.start({ native: locateNative(), sample });
    const { Client } = await loadPg();
    superuser = new Client(embedded.superuser);
    await superuser.connect();
    if (sql !== '') await superuser.query(sql);
  });
  afterAll(async () => {
    await superuser?.end();
    await embedded?.[Symbol.asyncDispose]();
  });
  const url = (role: 'reader' | 'superuser' = 'reader'): string => {
    const { user, password, host, port, database } = embedded![role];
    return `postgres://${user}:${String(password)}@/${database}?host=${host}&port=${port}`;
  };
  return {
    url,
    asSuperuser: async (text) => {
      const types = { getTypeParser: () => String };
      return (await superuser!.query<(string | null)[]>({ text, rowMode: 'array' as const, types })).rows;
    },
    connect: (given = {}, era, options = {}) =>
      connect(new PostgresServer(optionsWith({ url: url(), ...given })), { ...options, ...(era && { era }) }),
  };
}

/** The code of a call that has to fail; `runs` if it does not. */
export async function codeOf(session: Session, name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const result = await session.client.callTool({ name, arguments: { ...args } });
  const [block] = result.content;
  const text = block?.type === 'text' ? block.text : '';
  return result.isError === true ? (/^[A-Z_]+(?=:)/.exec(text)?.[0] ?? text) : 'runs';
}
