import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { UsageError } from '@org/mcp-host';
import { ERAS } from '@org/mcp-testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { loadPg } from '../../../../src/postgres/database/protocol/load-pg.ts';
import { roleSql } from '../../../../src/postgres/database/embedded/role-sql.ts';
import { PostgresServer } from '../../../../src/index.ts';
import { failureOf } from '../../../fixtures/failure-of.ts';
import { optionsWith, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({
  sql: `
    create role app login password 'a:b\\c';
    create schema "odd one";
    create table "odd one".t (id int);
  `,
});

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'databases-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

/** Returns the URL with these credentials (`ROLE` or `ROLE:PASSWORD`) and this name of a database. */
function urlWithCredentials(credentials: string, name = 'postgres'): string {
  return database.url().replace(/\/\/.*@\/\w+/, `//${credentials}@/${name}`);
}

async function file(name: string, text: string, mode = 0o600): Promise<string> {
  const written = path.join(directory, name);
  await writeFile(written, text);
  await chmod(written, mode);
  return written;
}

describe.each(ERAS)('several databases, on a %s connection,', (era) => {
  it('are selected by id', async () => {
    await using session = await database.connect(
      { database: [`second=${urlWithCredentials('app:a%3Ab%5Cc', 'template1')}`] },
      era,
    );
    const sql = 'select current_database(), current_user';
    expect(await session.text('query', { sql })).toContain('postgres,mcp_ro');
    expect(await session.text('query', { sql, database: 'second' })).toContain('template1,app');
    expect(await failureOf(session, 'query', { sql, database: 'third' })).toMatchObject({
      code: 'NOT_FOUND',
      text: expect.stringContaining('postgres, second'),
    });
  });

  it('are listed, including a database that cannot be reached', async () => {
    await using session = await database.connect({ database: ['gone=postgres://u:hunter2@127.0.0.1:1/db?sslmode=disable'] }, era);
    const { structuredContent, content } = await session.call('list_databases');
    expect(structuredContent).toEqual({
      databases: [
        expect.objectContaining({
          id: 'postgres',
          role: 'mcp_ro',
          read_only: true,
          capabilities: expect.arrayContaining(['signals', 'activity', 'progress', 'transaction_timeout']),
        }),
        { id: 'gone', read_only: true, embedded: false, error: expect.stringContaining('ECONNREFUSED') },
      ],
    });
    expect(JSON.stringify(content)).not.toContain('hunter2');
  });
});

describe('the option --database', () => {
  it.each([
    ['without an id', ['postgres://u:hunter2@h/db']],
    ['with an id that contains a space', ['a b=postgres://u:hunter2@h/db']],
    ['with a duplicate id', ['a=postgres://u:hunter2@h/db', 'a=postgres://u:hunter2@h/db']],
    ['with an invalid URL', ['a=hunter2']],
  ])('is rejected %s, and the error does not contain the password', async (_, given) => {
    const server = new PostgresServer(optionsWith({ database: given }));
    await expect(server.open()).rejects.toThrow(UsageError);
    await expect(server.open()).rejects.not.toThrow(/hunter2/);
  });
});

describe('a password', () => {
  it('is read from a file', async () => {
    await using session = await database.connect({
      url: urlWithCredentials('app'),
      passwordFile: await file('password', 'a:b\\c\n'),
    });
    expect(await session.text('query', { sql: 'select current_user' })).toContain('app');
  });

  it('is read from PGPASSWORD', async () => {
    vi.stubEnv('PGPASSWORD', 'a:b\\c');
    await using session = await database.connect({ url: urlWithCredentials('app') });
    expect(await session.text('query', { sql: 'select current_user' })).toContain('app');
  });

  it("is read from libpq's password file", async () => {
    const lines = ['# of all', 'elsewhere:*:*:app:x', 'localhost:5432:*:somebody:x', String.raw`*:*:postgres:app:a\:b\\c`];
    vi.stubEnv('PGPASSFILE', await file('pgpass', lines.join('\n')));
    await using session = await database.connect({ url: urlWithCredentials('app') });
    expect(await session.text('query', { sql: 'select current_user' })).toContain('app');
  });

  it("is read from libpq's environment variables, as are all other parameters", async () => {
    const url = new URL(database.url().replace('@/', '@x/'));
    const { host, port } = Object.fromEntries(url.searchParams);
    for (const [name, value] of Object.entries({
      PGHOST: host,
      PGPORT: port,
      PGUSER: 'app',
      PGDATABASE: 'template1',
      PGPASSWORD: 'a:b\\c',
    }))
      vi.stubEnv(name, value);
    await using session = await database.connect({ url: 'postgres://' });
    expect(await session.text('query', { sql: 'select current_database(), current_user' })).toContain('template1,app');
  });

  it('is read again after its file has changed', async () => {
    const passwordFile = await file('changing', 'wrong');
    await using session = await database.connect({ url: urlWithCredentials('app'), passwordFile });
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      code: 'CONNECTION',
      data: { reason: 'auth' },
    });
    await file('changing', 'a:b\\c');
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });

  it.each([
    ['is not given', () => Promise.resolve({}), /no password was given/],
    ['is in a missing file', () => Promise.resolve({ passwordFile: '/nope' }), /password file cannot be read: ENOENT/],
    [
      'is in a file that other users may read',
      async () => {
        vi.stubEnv('PGPASSFILE', await file('open', String.raw`*:*:*:*:a\:b\\c`, 0o644));
        return {};
      },
      /other users may read it/,
    ],
  ])('is reported as missing if it %s', async (_, options, message) => {
    vi.stubEnv('HOME', directory);
    await using session = await database.connect({ url: urlWithCredentials('app'), ...(await options()) });
    const failed = await failureOf(session, 'query', { sql: 'select 1' });
    expect(failed).toMatchObject({ code: 'CONNECTION', data: { reason: 'auth', retryable: false } });
    expect(failed.text).toMatch(message);
  });
});

describe('the role of --print-role-sql', () => {
  it('reads every table and sequence, has no privilege beyond reading, and keeps its password in a second run', async () => {
    // The embedded server already has a role with the name mcp_ro, so the test creates the role under another name.
    const sql = roleSql().replaceAll('mcp_ro', 'made_ro');
    const [, password] = /password '([^']+)'/.exec(sql)!;
    const { Client } = await loadPg();
    const owner = new Client(database.url('superuser'));
    await owner.connect();
    await owner.query(sql);
    await owner.query(roleSql().replaceAll('mcp_ro', 'made_ro'));
    await owner.query('create table "odd one".later (); create sequence "odd one".numbers');
    await owner.end();
    await using session = await database.connect({ url: urlWithCredentials(`made_ro:${password}`) });
    expect(await session.text('query', { sql: 'table "odd one".t' })).toContain('0 rows');
    expect(await session.text('query', { sql: 'select count(*) from "odd one".later' })).toContain('0');
    expect(await session.text('query', { sql: 'select last_value from "odd one".numbers' })).toContain('1');
    expect(await session.text('query', { sql: 'show default_transaction_read_only' })).toContain('on');
    expect(await failureOf(session, 'query', { sql: 'table pg_authid' })).toMatchObject({ code: 'PERMISSION' });
  });
});
