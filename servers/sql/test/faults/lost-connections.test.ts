import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { loadPg } from '../../src/database/load-pg.ts';
import { useDatabase } from '../postgres.ts';
import { failureOf, openDescriptors, openSockets } from './failure-of.ts';
import { NetworkServer } from './network-server.ts';
import { Proxy } from './proxy.ts';

const SLEEP = { sql: 'select pg_sleep(60)' };

const database = useDatabase({
  sql: `
    create table held (id int);
    create role few login connection limit 1 password 'x';
    grant select on held to mcp_ro;
  `,
});

let sockets = 0;
beforeEach(() => {
  sockets = openSockets();
});
afterEach(async () => {
  // Nothing is left, here or there.
  await vi.waitUntil(async () => openSockets() <= sockets && (await ours()).length === 0);
});

function ours(where = 'true'): Promise<readonly unknown[]> {
  return database.asSuperuser(`select pid from pg_stat_activity where application_name like 'mcp-sql%' and ${where}`);
}

/** Resolves once a statement sleeps in the database. */
async function sleeping(): Promise<void> {
  await vi.waitFor(async () => expect(await ours("wait_event = 'PgSleep'")).toHaveLength(1));
}

function terminate(where: string): Promise<unknown> {
  return database.asSuperuser(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'mcp-sql%' and ${where}`,
  );
}

describe('a backend that is killed', () => {
  it('while it runs a statement ends that call alone', async () => {
    await using session = await database.connect();
    const failing = failureOf(session, 'query', SLEEP);
    await sleeping();
    await terminate("wait_event = 'PgSleep'");
    expect(await failing).toMatchObject({ code: 'CONNECTION', data: { reason: 'lost', retryable: true } });
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });

  it('while it is idle is noticed by nobody', async () => {
    await using session = await database.connect({ maxConnections: 2 });
    await Promise.all([1, 2, 3].map((n) => session.text('query', { sql: `select ${n}` })));
    await terminate('true');
    await vi.waitFor(async () => expect(await ours()).toEqual([]));
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });
});

describe('a server that has no connection left', () => {
  it('for this role says so', async () => {
    const { Client } = await loadPg();
    const url = database.url().replace(/\/\/.*@/, '//few:x@');
    const other = new Client(url);
    await other.connect();
    await using session = await database.connect({ url });
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      code: 'CONNECTION',
      data: { reason: 'too_many', retryable: true },
    });
    await other.end();
    await vi.waitFor(async () => expect(await session.text('query', { sql: 'select 1' })).toContain('1 row'));
  });

  it('in its pool lets calls wait, but not forever', async () => {
    await using session = await database.connect({ maxConnections: 1, connectTimeoutMs: 2000 });
    await session.text('query', { sql: 'select 1' });
    const stop = new AbortController();
    const stopped = session.client.callTool({ name: 'query', arguments: SLEEP }, { signal: stop.signal });
    await sleeping();
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      code: 'OVERLOADED',
      text: expect.stringContaining('none of the 1 connections became free for this caller within 2000 ms'),
      data: { retryable: true },
    });
    stop.abort();
    await expect(stopped).rejects.toThrow();
    await vi.waitFor(async () => expect(await session.text('query', { sql: 'select 1' })).toContain('1 row'));
  });
});

describe('a call that fails', () => {
  it.each([
    ['by a wrong password', { url: () => database.url().replace(/:[^:@]*@/, ':wrong@') }, 'select 1', 'CONNECTION'],
    ['by a user that there is not', { url: () => database.url().replace(/\/\/.*@/, '//nobody:x@') }, 'select 1', 'CONNECTION'],
    ['by a value of 600 MB', { url: () => database.url() }, "select repeat('x', 600000000)", 'TOO_LARGE'],
    ['by its time', { url: () => database.url() }, 'select pg_sleep(60)', 'TIMEOUT'],
  ])('%s leaves no connection and no descriptor open', async (_, { url }, sql, code) => {
    await using session = await database.connect({ url: url(), maxConnections: 2 });
    const failing = (): Promise<unknown> => failureOf(session, 'query', { sql, timeout_ms: code === 'TIMEOUT' ? 1000 : 30_000 });
    expect(await failing()).toMatchObject({ code });
    const before = await openDescriptors();
    expect(await failing()).toMatchObject({ code });
    await vi.waitFor(async () => expect(await openDescriptors()).toBeLessThanOrEqual(before));
    // A backend that makes hundreds of megabytes learns at its next write that nobody wants them.
    await vi.waitFor(async () => expect(await ours("state <> 'idle'")).toEqual([]));
    expect((await ours()).length).toBeLessThanOrEqual(2);
  });
});

describe('a lock of another session', () => {
  it('ends the call, which says who holds it', async () => {
    const { Client } = await loadPg();
    const other = new Client(database.url('superuser'));
    await other.connect();
    const { rows } = await other
      .query<{ pid: number }>('begin; lock table held; select pg_backend_pid() pid')
      .then((results) => (Array.isArray(results) ? results.at(-1) : results));
    await using session = await database.connect();
    const failed = await failureOf(session, 'query', { sql: 'table held' });
    expect(failed.code).toBe('LOCK_TIMEOUT');
    expect(failed.text).toContain(`process ${rows[0].pid}`);
    expect(failed.data).toMatchObject({ blockers: [{ pid: rows[0].pid, role: 'postgres' }], retryable: true });
    await other.end();
    expect(await session.text('query', { sql: 'table held' })).toContain('0 rows');
  });
});

describe('a network', () => {
  const socket = (): string => {
    const { searchParams } = new URL(database.url().replace('@/', '@x/'));
    return `${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port')}`;
  };
  const through = (proxy: Proxy): string => database.url().replace(/@.*/, `@127.0.0.1:${proxy.port}/postgres?sslmode=disable`);

  it('that delivers byte after byte delivers all the same', async () => {
    await using proxy = await Proxy.to(socket(), (chunk, to) => {
      for (const byte of chunk) to.write(Buffer.of(byte));
    });
    await using session = await database.connect({ url: through(proxy) });
    const { _meta: facts } = await session.call('query', { sql: 'select generate_series(1, 500)', max_rows: 400 });
    expect(facts).toMatchObject({ row_count: 400, truncated: 'rows' });
  });

  it('that breaks off amid rows ends the call', async () => {
    let sent = 0;
    await using proxy = await Proxy.to(socket(), (chunk, to) => {
      sent += chunk.length;
      to.write(chunk);
      if (sent > 100_000) to.destroy();
    });
    await using session = await database.connect({ url: through(proxy) });
    const sql = "select repeat('x', 1000) from generate_series(1, 9000)";
    expect(await failureOf(session, 'query', { sql, max_rows: 10_000 })).toMatchObject({
      code: 'CONNECTION',
      data: { reason: 'lost' },
    });
    sent = -Infinity;
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });

  it('that swallows all ends the wait', async () => {
    await using proxy = await Proxy.to(socket(), () => undefined);
    await using session = await database.connect({ url: through(proxy), connectTimeoutMs: 300 });
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      code: 'CONNECTION',
      data: { reason: 'timeout', retryable: true },
    });
  });
});

describe('a PostgreSQL that is restarted', () => {
  let server: NetworkServer | undefined;
  beforeAll(async () => {
    server = await NetworkServer.create();
    await server.start();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  it('ends what runs, is missed meanwhile, and is found again', async () => {
    await using session = await database.connect({ url: server!.url(), allowPrivilegedRole: true });
    const { Client } = await loadPg();
    const watching = new Client(server!.url());
    await watching.connect();
    const failing = failureOf(session, 'query', SLEEP);
    await vi.waitFor(async () => {
      const { rows } = await watching.query("select from pg_stat_activity where wait_event = 'PgSleep'");
      expect(rows).toHaveLength(1);
    });
    watching.on('error', () => undefined);
    const gone = new Promise((resolve) => watching.once('end', resolve));
    await server!.stop();
    await gone;
    expect(await failing).toMatchObject({ code: 'CONNECTION', data: { retryable: true } });
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      data: { reason: 'refused', retryable: true },
    });
    await server!.start();
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });
});
