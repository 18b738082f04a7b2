import { connect, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { loadPg } from '../../../../src/postgres/database/protocol/load-pg.ts';
import { PostgresServer, type PostgresOptions } from '../../../../src/index.ts';
import { failureOf } from '../../../fixtures/failure-of.ts';
import { GONE, optionsWith, useDatabase } from '../../../fixtures/postgres.ts';
import { NO_PGBOUNCER, startPgBouncer, type PgBouncer } from '../../../fixtures/servers/pgbouncer.ts';

/** Server connections of the pooler: fewer than the concurrent calls, so that transactions share connections. */
const SERVERS = 3;

describe.skipIf(NO_PGBOUNCER)('behind PgBouncer in transaction mode', () => {
  const database = useDatabase({ sample: true });
  let pooler: PgBouncer | undefined;
  beforeAll(async () => {
    pooler = await startPgBouncer(database.config(), SERVERS);
  });
  afterAll(() => pooler?.[Symbol.asyncDispose]());

  function pooled(given: Partial<PostgresOptions> = {}): Promise<Session> {
    return connect(new PostgresServer(optionsWith({ url: pooler!.url, policy: 'off', ...given })));
  }

  async function active(): Promise<string | null | undefined> {
    const [row] = await database.asSuperuser(
      "select count(*) from pg_stat_activity where state = 'active' and query like '%$marker$%' and usename = 'mcp_ro'",
    );
    return row?.[0];
  }

  it('twenty concurrent queries are answered', async () => {
    await using session = await pooled();
    const answers = Array.from({ length: 20 }, (_, index) =>
      session.text('query', { sql: 'select $1::int * 2', params: [String(index)] }),
    );
    (await Promise.all(answers)).forEach((answer, index) => expect(answer).toContain(String(index * 2)));
  });

  it.each([
    ['search_objects', { pattern: 'order' }, 'order_lines'],
    ['describe', { object: 'orders' }, 'order_lines'],
    ['explain', { sql: 'select * from orders' }, 'Seq Scan on orders'],
    ['list_databases', {}, 'mcp_ro'],
  ])('%s works', async (name, args, text) => {
    await using session = await pooled();
    expect(await session.text(name, args)).toContain(text);
  });

  it.each([
    ['drop table orders', /^READ_ONLY/],
    ['insert into orders default values', /^READ_ONLY/],
    ['select 1; select 2', /^SYNTAX/],
  ])('%s is rejected', async (sql, error) => {
    await using session = await pooled();
    expect(await session.fails('query', { sql })).toMatch(error);
  });

  it('listen fails with UNSUPPORTED_ENGINE', async () => {
    await using session = await pooled({ tools: ['extra'] });
    expect(await session.fails('listen', { channels: ['orders'] })).toMatch(/^UNSUPPORTED_ENGINE: a pooler/);
  });

  it('a timeout is enforced, although sessions cannot start with settings', async () => {
    await using session = await pooled();
    expect(await session.fails('query', { sql: 'select pg_sleep(600)', timeout_ms: 200 })).toMatch(/^TIMEOUT/);
  });

  it('results can be paged by handle and exported', async () => {
    await using session = await pooled();
    const { _meta: facts } = await session.call('query', { sql: 'select generate_series(1, 2500)', keep: true });
    const { handle } = facts as { handle: string };
    expect(await session.text('fetch_result', { handle, offset: 2400, max_rows: 1 })).toContain('2401');
    const { structuredContent: exported } = await session.call('export', { sql: 'select generate_series(1, 2500)' });
    expect(exported).toMatchObject({ rows: 2500 });
  });

  it('a lock timeout ends the call, without blockers because the waiting backend is unknown', async () => {
    const { Client } = await loadPg();
    const other = new Client(database.config('superuser'));
    await other.connect();
    await other.query('begin; lock table shop.orders');
    await using session = await pooled();
    const { code, data } = await failureOf(session, 'query', { sql: 'table orders' });
    expect([code, data['blockers']]).toEqual(['LOCK_TIMEOUT', []]);
    await other.end();
    expect(await session.text('query', { sql: 'select count(*) from orders' })).toContain('1 row');
  });

  it('no setting remains on a connection that other clients use', async () => {
    const settings = async (): Promise<unknown> => {
      const { Client } = await loadPg();
      const client = new Client(pooler!.url);
      await client.connect();
      const shown = await client.query(
        "select name, setting from pg_settings where name <> 'application_name' and source not in ('default', 'client')",
      );
      await client.end();
      return shown.rows;
    };
    const before = await settings();
    await using session = await pooled();
    await session.text('query', { sql: 'select 1', timeout_ms: 1234 });
    expect(await settings()).toEqual(before);
  });

  it('a cancelled query ends in the database at once, and the next call works', async () => {
    await using session = await pooled();
    const call = session.start('query', { sql: 'select pg_sleep(600) -- $marker$' });
    await vi.waitUntil(async () => (await active()) === '1', { interval: 5 });
    call.cancel();
    await vi.waitUntil(async () => (await active()) === '0', GONE);
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it('a cancel at a random moment never hits the query of another call', { timeout: 60_000 }, async () => {
    await using session = await pooled();
    const cancelled = async (): Promise<void> => {
      const call = session.start('query', { sql: 'select count(*) from generate_series(1, 30000)' });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
      call.cancel();
      await call.result.catch(() => undefined);
    };
    const rounds = Number(process.env['MCP_TEST_CANCELS'] ?? 80) / 4;
    for (let round = 0; round < rounds; round += 1) {
      const sum = session.text('query', { sql: `select sum(g) + ${round} from generate_series(1, 2000) g` });
      await Promise.all([cancelled(), cancelled(), cancelled(), cancelled()]);
      expect(await sum).toContain(String(2_001_000 + round));
    }
  });

  it('progress reports the duration and the rows, but no wait event, because the backend is unknown', async () => {
    await using session = await pooled();
    const call = session.start('query', {
      sql: "select g, repeat('x', 300), pg_sleep(case when g = 1 then 2.2 else 0.02 end) from generate_series(1, 40) g",
    });
    await call.result;
    const messages = call.progress.all.map(({ message }) => message);
    expect(messages[0]).toMatch(/^waiting for the first row for \d s$/);
    expect(messages.at(-1)).toBe('40 of ~40 rows read');
  });
});
