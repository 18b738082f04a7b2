import { mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connectHttp, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { PostgresOptions } from '../../../src/index.ts';
import { codeOf, useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({ sample: true });

interface Facts {
  readonly handle: string;
  readonly columns: readonly object[];
  readonly next_offset?: number;
  readonly total_rows?: number;
  readonly row_count: number;
  readonly truncated?: string;
  readonly rows: readonly (readonly string[])[];
}

async function stateDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'state-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function connect(given: Partial<PostgresOptions> = {}): Promise<Session> {
  return database.connect({ stateDir: await stateDirectory(), ...given });
}

async function facts(session: Session, name: string, args: Readonly<Record<string, unknown>>): Promise<Facts> {
  return (await session.call(name, { structured: true, ...args })).structuredContent as Facts;
}

function keep(session: Session, sql: string, args: Readonly<Record<string, unknown>> = {}): Promise<Facts> {
  return facts(session, 'query', { sql, keep: true, max_rows: 3, ...args });
}

const series = (rows: number): string => `select g, 'row ' || g as name from generate_series(1, ${rows}) g`;

/** Returns the number of open files of this process that had a name in a directory and no longer have one. */
async function openFiles(directory: string): Promise<number> {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((link) => link.startsWith(directory) && link.endsWith(' (deleted)')).length;
}

describe.each(ERAS)('a stored result, on a %s connection,', (era) => {
  it('continues after the last row of the query, without running the statement again', async () => {
    await using session = await database.connect({ stateDir: await stateDirectory() }, era);
    const first = await keep(session, `${series(2500)} order by random()`, { max_rows: 1000 });
    expect(first).toMatchObject({ row_count: 1000, truncated: 'rows', handle: expect.stringMatching(/^[0-9a-f]{24}$/) });
    const seen = first.rows.map(([id]) => id);
    for (let offset: number | undefined = seen.length; offset !== undefined;) {
      const page = await facts(session, 'fetch_result', { handle: first.handle, offset, max_rows: 700 });
      expect(page.total_rows ?? 2500).toBe(2500);
      seen.push(...page.rows.map(([id]) => id));
      offset = page.next_offset;
    }
    expect(seen.length).toBe(2500);
    expect(new Set(seen).size).toBe(2500);
  });
});

describe('a stored result', () => {
  it('reports the number of rows and the offset of the next page', async () => {
    await using session = await connect();
    const { handle } = await keep(session, series(5));
    expect(await session.text('fetch_result', { handle, max_rows: 2, offset: 1 })).toBe(
      '```csv\ng,name\n2,row 2\n3,row 3\n```\n2 rows of 5, and more rows exist\nthe next page begins at offset 3',
    );
    expect(await session.text('fetch_result', { handle, offset: 4 })).toBe('```csv\ng,name\n5,row 5\n```\n1 row of 5');
    expect(await facts(session, 'fetch_result', { handle, offset: 99 })).toMatchObject({ row_count: 0, total_rows: 5 });
  });

  it('describes its columns like the query', async () => {
    await using session = await connect();
    const first = await keep(session, 'select id, note from orders order by id');
    expect(first.columns).toMatchObject([{ nullable: false }, { nullable: true }]);
    const { columns } = await facts(session, 'fetch_result', { handle: first.handle, offset: 3 });
    expect(columns).toEqual(first.columns);
  });

  it('stores complete values: a page cuts them, an export does not', async () => {
    await using session = await connect();
    const { handle } = await keep(session, "select repeat('ä', 5000) v, null n, '' e", { max_rows: 1 });
    expect(await facts(session, 'fetch_result', { handle })).toMatchObject({ truncated_values: 1 });
    const { structuredContent } = await session.call('export', { handle, format: 'ndjson' });
    expect(structuredContent).toMatchObject({
      rows: 1,
      bytes: Buffer.byteLength('{"columns":["v","n","e"]}\n["",null,""]\n') + 10_000,
    });
  });

  it('returns its first page before the last row has arrived', async () => {
    await using session = await connect({ policy: 'off' });
    const sql = 'select g, case when g > 5000 then pg_sleep(60) end from generate_series(1, 5001) g';
    const { handle } = await keep(session, sql);
    expect(await facts(session, 'fetch_result', { handle, offset: 3000, max_rows: 1 })).toMatchObject({ rows: [['3001', null]] });
    const late = { handle, offset: 4999, max_rows: 10, timeout_ms: 100 };
    expect(await codeOf(session, 'fetch_result', late)).toBe('TIMEOUT');
  });

  it('ends its statement when the server ends', async () => {
    const running = "select count(*) from pg_stat_activity where query like '%pg_sleep(61)%' and pid <> pg_backend_pid()";
    {
      await using session = await connect({ policy: 'off' });
      await keep(session, 'select g, case when g > 3000 then pg_sleep(61) end from generate_series(1, 3001) g');
      expect(await database.asSuperuser(running)).toEqual([['1']]);
    }
    await vi.waitUntil(async () => (await database.asSuperuser(running))[0]?.[0] === '0', { interval: 10 });
  });

  it('reports an error after the rows that arrived before it', async () => {
    await using session = await connect();
    const { handle } = await keep(session, 'select g, 1 / (2500 - g) from generate_series(1, 9000) g');
    expect(await facts(session, 'fetch_result', { handle, offset: 1000, max_rows: 5 })).toMatchObject({ row_count: 5 });
    expect(await session.fails('fetch_result', { handle, offset: 1000, max_rows: 9000 })).toMatch(
      /^QUERY_FAILED: division by zero/,
    );
  });

  it('fails if its first page fails', async () => {
    await using session = await connect();
    const sql = 'select 1 / (g - 2) from generate_series(1, 9) g';
    expect(await codeOf(session, 'query', { sql, keep: true })).toBe('QUERY_FAILED');
    expect(await codeOf(session, 'query', { sql: 'drop table orders', keep: true })).toBe('READ_ONLY');
    expect(await codeOf(session, 'query', { sql: 'select * from ordrs', keep: true })).toBe('UNDEFINED_OBJECT');
  });

  it.each([
    ['a handle that never existed', { handle: 'a'.repeat(24) }],
    ['a guess that is a path', { handle: '../../../etc/passwd' }],
    ['an empty one', { handle: '' }],
    ['one of another database', { database: 'other' }],
  ])('rejects an invalid handle: %s', async (_, args) => {
    await using session = await connect();
    const { handle } = await keep(session, series(5));
    expect(await codeOf(session, 'fetch_result', { handle, ...args })).toBe('HANDLE_EXPIRED');
  });

  it('expires if it is not used, and closes its file', async () => {
    const stateDir = await stateDirectory();
    await using session = await connect({ stateDir, resultLifetime: 300 });
    const { handle } = await keep(session, series(5));
    expect(await openFiles(stateDir)).toBe(1);
    await vi.waitUntil(async () => (await openFiles(stateDir)) === 0, { interval: 10 });
    expect(await session.fails('fetch_result', { handle })).toMatch(/^HANDLE_EXPIRED: .*\nrun the statement again$/);
  });

  it('uses a file without a name, in a private directory', async () => {
    const stateDir = await stateDirectory();
    const session = await connect({ stateDir });
    await keep(session, series(5));
    expect(await readdir(path.join(stateDir, 'spool'))).toEqual([]);
    expect((await stat(path.join(stateDir, 'spool'))).mode & 0o777).toBe(0o700);
    expect(await openFiles(stateDir)).toBe(1);
    await session[Symbol.asyncDispose]();
    expect(await openFiles(stateDir)).toBe(0);
  });

  it('is dropped for a later result of its caller if --max-stored-bytes is reached', async () => {
    await using session = await connect({ maxStoredBytes: 1_048_576 });
    const sql = "select repeat('x', 1000) from generate_series(1, 700)";
    const { handle: old } = await keep(session, sql);
    expect(await facts(session, 'fetch_result', { handle: old, offset: 699 })).toMatchObject({ row_count: 1 });
    const { handle } = await keep(session, sql);
    expect(await facts(session, 'fetch_result', { handle, offset: 699 })).toMatchObject({ row_count: 1 });
    expect(await codeOf(session, 'fetch_result', { handle: old })).toBe('HANDLE_EXPIRED');
  });

  it('fails with TOO_LARGE if it exceeds --max-stored-bytes', async () => {
    await using session = await connect({ maxStoredBytes: 1_048_576 });
    const sql = "select generate_series(1, 1000000000), repeat('x', 1000)";
    const { handle } = await keep(session, sql);
    expect(await session.fails('fetch_result', { handle, offset: 1_000_000 })).toMatch(/^TOO_LARGE/);
    expect(await codeOf(session, 'export', { sql })).toBe('TOO_LARGE');
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });

  it('can be read as resources of 1,000 rows', async () => {
    await using session = await connect();
    const { handle } = await keep(session, series(2001));
    const read = async (page: string): Promise<unknown> =>
      (await session.client.readResource({ uri: `pgresult://${handle}/${page}` })).contents[0];
    expect(await read('3')).toMatchObject({ mimeType: 'text/csv', text: 'g,name\n2001,row 2001\n' });
    await expect(read('4')).rejects.toThrow('no page 4');
    await expect(read('0')).rejects.toThrow();
  });
});

describe('over HTTP, a statement whose result is stored', () => {
  // Each statement has a column of a type that no other statement reads, so that the type is not known yet.
  const slow = (type: string): string =>
    `select g::text::${type}, pg_sleep(case when g = 2000 then 600 else 0 end) from generate_series(1, 2001) g`;

  it('needs no second connection for the types of its columns', async () => {
    const server = database.server({ stateDir: await stateDirectory(), maxConnections: 1, connectTimeout: 2000 });
    await using session = await connectHttp(server);
    expect(await keep(session, slow('xid8'))).toMatchObject({ row_count: 3, columns: [{ type: 'xid8' }, {}] });
  });

  it('leaves the other connection to the only caller', async () => {
    const server = database.server({ stateDir: await stateDirectory(), maxConnections: 2, connectTimeout: 2000 });
    await using session = await connectHttp(server);
    expect(await keep(session, slow('name'))).toMatchObject({ row_count: 3 });
    expect(await codeOf(session, 'query', { sql: 'select 1' })).toBe('runs');
  });
});
