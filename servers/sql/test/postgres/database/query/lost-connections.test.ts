import { existsSync } from 'node:fs';

import { connect } from '@org/mcp-testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { loadPg } from '../../../../src/postgres/database/protocol/load-pg.ts';
import { PostgresServer } from '../../../../src/index.ts';
import { optionsWith, useDatabase } from '../../../fixtures/postgres.ts';
import { failureOf, openDescriptors, openSockets } from '../../../fixtures/failure-of.ts';
import { NetworkServer } from '../../../fixtures/servers/network-server.ts';
import { Proxy } from '../../../fixtures/servers/proxy.ts';

class ReadingServer extends PostgresServer {
  async read(): Promise<unknown> {
    return this.databaseFor({}).rows('select 1', [], { signal: new AbortController().signal });
  }
}

const SLEEP = { sql: 'select pg_sleep(60)' };

const database = useDatabase({
  sql: `
    create table held (id int);
    create role few login connection limit 1 password 'x';
    grant select on held to mcp_ro;
    create function cancelled_after(seconds float) returns int language plpgsql as $$
      begin
        perform pg_sleep(seconds);
        raise 'canceling statement' using errcode = 'query_canceled';
      end $$;
  `,
});

let sockets = 0;
beforeEach(() => {
  sockets = openSockets();
});
afterEach(async () => {
  // No additional socket remains in this process, and no backend of mcp-sql in PostgreSQL.
  await vi.waitUntil(async () => openSockets() <= sockets && (await findBackends()).length === 0);
});

function findBackends(where = 'true'): Promise<readonly (readonly (string | null)[])[]> {
  return database.asSuperuser(`select pid from pg_stat_activity where application_name like 'mcp-sql%' and ${where}`);
}

/** Resolves once a statement sleeps in the database. */
async function waitForSleep(): Promise<void> {
  await vi.waitFor(async () => expect(await findBackends("wait_event = 'PgSleep'")).toHaveLength(1));
}

function terminate(where: string): Promise<unknown> {
  return database.asSuperuser(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'mcp-sql%' and ${where}`,
  );
}

/** Blocks this process until another one has ended. */
function blockWhileRunning(pid: number): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (let turn = 0; existsSync(`/proc/${pid}`); turn += 1) {
    if (turn === 1000) throw new Error(`the process ${pid} has not ended`);
    Atomics.wait(cell, 0, 0, 10);
  }
}

describe('a backend that is killed', () => {
  it('ends only its own call if it runs a statement', async () => {
    await using session = await database.connect();
    const failing = failureOf(session, 'query', SLEEP);
    await waitForSleep();
    await terminate("wait_event = 'PgSleep'");
    expect(await failing).toMatchObject({ code: 'CONNECTION', data: { reason: 'lost', retryable: true } });
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });

  it('does not affect later calls if it is idle', async () => {
    await using session = await database.connect({ maxConnections: 2 });
    await Promise.all([1, 2, 3].map((n) => session.text('query', { sql: `select ${n}` })));
    await terminate('true');
    await vi.waitFor(async () => expect(await findBackends()).toEqual([]));
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });

  it('does not affect a call that writes to its connection before the process notices the end', async () => {
    const server = new ReadingServer(optionsWith({ url: database.url(), policy: 'off', maxConnections: 2 }));
    await using session = await connect(server);
    await session.toolNames();
    await Promise.all([1, 2, 3].map(() => server.read()));
    const backends = (await findBackends()).map(([pid]) => Number(pid));
    const terminated = terminate('true');
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve(); // until the statement is sent
    // While this process is blocked, it cannot notice that the backends end, so the pool still keeps their connections.
    for (const pid of backends) blockWhileRunning(pid);
    expect(await server.read()).toEqual([['1']]);
    await terminated;
  });
});

describe('a server without a free connection', () => {
  it('fails with the reason too_many if the limit of the role is reached', async () => {
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

  it('lets calls wait until the timeout if the limit of the pool is reached', async () => {
    await using session = await database.connect({ maxConnections: 1, connectTimeout: 2000 });
    await session.text('query', { sql: 'select 1' });
    const stop = new AbortController();
    const stopped = session.client.callTool({ name: 'query', arguments: SLEEP }, { signal: stop.signal });
    await waitForSleep();
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      code: 'OVERLOADED',
      text: expect.stringContaining('no connection became free for this caller within 2000 ms'),
      data: { retryable: true },
    });
    stop.abort();
    await expect(stopped).rejects.toThrow();
    await vi.waitFor(async () => expect(await session.text('query', { sql: 'select 1' })).toContain('1 row'));
  });
});

describe('a call that fails', () => {
  it.each([
    ['with a wrong password', { url: () => database.url().replace(/:[^:@]*@/, ':wrong@') }, 'select 1', 'CONNECTION'],
    ['with an unknown user', { url: () => database.url().replace(/\/\/.*@/, '//nobody:x@') }, 'select 1', 'CONNECTION'],
    ['with a value of 64 MB', { url: () => database.url() }, "select repeat('x', 64000000)", 'TOO_LARGE'],
    ['with a timeout', { url: () => database.url() }, 'select pg_sleep(60)', 'TIMEOUT'],
  ])('leaves no connection and no descriptor open %s', async (_, { url }, sql, code) => {
    await using session = await database.connect({ url: url(), maxConnections: 2 });
    const failing = (): Promise<unknown> => failureOf(session, 'query', { sql, timeout_ms: code === 'TIMEOUT' ? 1000 : 30_000 });
    expect(await failing()).toMatchObject({ code });
    const before = await openDescriptors();
    for (let call = 0; call < 3; call += 1) expect(await failing()).toMatchObject({ code });
    // The pool may open its second connection if the first one is not free yet. A leak would grow with each call.
    await vi.waitFor(async () => expect(await openDescriptors()).toBeLessThanOrEqual(before + 1));
    // A backend that builds a long value notices the closed connection at its next write.
    await vi.waitFor(async () => expect(await findBackends("state <> 'idle'")).toEqual([]));
    // The backend of a closed connection may remain for some time. The pool has at most two connections; the control connection
    // has another application name.
    await vi.waitFor(async () => expect((await findBackends("application_name = 'mcp-sql'")).length).toBeLessThanOrEqual(2));
    await vi.waitFor(async () => expect((await findBackends("application_name <> 'mcp-sql'")).length).toBeLessThanOrEqual(1));
  });
});

describe('a statement that the database server cancels', () => {
  it.each([
    ['CANCELLED', 'long before its timeout', 0.01, 30_000],
    // The clock of the server may be adjusted while a statement runs. A cancel shortly before the timeout counts as the timeout.
    ['TIMEOUT', 'shortly before its timeout', 0.96, 1000],
  ])('fails with %s %s', async (code, _, seconds, timeout_ms) => {
    await using session = await database.connect();
    const failed = await failureOf(session, 'query', { sql: `select cancelled_after(${seconds})`, timeout_ms });
    expect(failed).toMatchObject({ code, data: { sqlstate: '57014' } });
  });
});

describe('a lock of another session', () => {
  it('fails the call with an error that names the blocking session', async () => {
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

  it('does not change results if it delivers single bytes', async () => {
    await using proxy = await Proxy.to(socket(), (chunk, to) => {
      for (const byte of chunk) to.write(Buffer.of(byte));
    });
    await using session = await database.connect({ url: through(proxy) });
    const { _meta: facts } = await session.call('query', { sql: 'select generate_series(1, 500)', max_rows: 400 });
    expect(facts).toMatchObject({ row_count: 400, truncated: 'rows' });
  });

  it('fails the call if it fails between rows', async () => {
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

  it('fails the call with a timeout if it drops all data', async () => {
    await using proxy = await Proxy.to(socket(), () => undefined);
    await using session = await database.connect({ url: through(proxy), connectTimeout: 300 });
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

  it('fails running calls and calls during the restart, and accepts calls afterwards', async () => {
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
