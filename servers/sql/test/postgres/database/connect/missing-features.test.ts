import { connect, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { PostgresServer, type PostgresOptions } from '../../../../src/index.ts';
import { GONE, optionsWith, terminated, useDatabase } from '../../../fixtures/postgres.ts';
import { startRefusingProxy, type Lacking, type RefusingProxy } from '../../../fixtures/servers/refusing-proxy.ts';

const database = useDatabase({ sample: true });

const PROGRESS_VIEWS = ['pg_stat_progress_', String.raw`pg\_stat\_progress\_`];
const SIGNALS = ['pg_cancel_backend', 'pg_terminate_backend'];
const SLEEP = 'select pg_sleep(600) -- $marker$';

async function connectWithout(
  lacking: Lacking,
  given: Partial<PostgresOptions> = {},
): Promise<{ readonly session: Session; readonly proxy: RefusingProxy }> {
  const proxy = await startRefusingProxy(database.config(), lacking);
  const session = await connect(new PostgresServer(optionsWith({ url: proxy.url, policy: 'off', ...given })));
  onTestFinished(async () => {
    await session[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });
  return { session, proxy };
}

async function countActive(): Promise<string | null | undefined> {
  const sql = "select count(*) from pg_stat_activity where usename = 'mcp_ro' and state = 'active' and query like '%$marker$%'";
  return (await database.asSuperuser(sql))[0]?.[0];
}

async function waitUntilIdle(): Promise<void> {
  await vi.waitUntil(async () => (await countActive()) === '0', GONE);
}

describe('an engine with missing features', () => {
  it('reports the wait event of a query if progress views are missing', async () => {
    const { session } = await connectWithout({ words: PROGRESS_VIEWS });
    const call = session.start('query', { sql: SLEEP });
    expect((await call.progress.next()).message).toMatch(/^waiting for the first row for \d s, on Timeout PgSleep$/);
    call.cancel();
    await waitUntilIdle();
  });

  it('reports how long a query has run if pg_stat_activity is missing', async () => {
    const { session } = await connectWithout({ words: [...PROGRESS_VIEWS, 'pg_stat_activity'] });
    const call = session.start('query', { sql: SLEEP });
    expect((await call.progress.next()).message).toMatch(/^waiting for the first row for \d s$/);
    call.cancel();
    await waitUntilIdle();
  });

  it('cancels with a cancel request if functions to cancel by process id are missing', async () => {
    const { session, proxy } = await connectWithout({ words: SIGNALS });
    const call = session.start('query', { sql: SLEEP });
    await vi.waitUntil(async () => (await countActive()) === '1', { interval: 5 });
    const before = await terminated(database);
    call.cancel();
    await waitUntilIdle();
    expect(await terminated(database)).toBe(before);
    expect(proxy.cancels()).toBe(1);
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it('cancels by process id if cancel requests are not supported', async () => {
    const { session } = await connectWithout({ cancelRequests: true });
    const call = session.start('query', { sql: SLEEP });
    await vi.waitUntil(async () => (await countActive()) === '1', { interval: 5 });
    const before = await terminated(database);
    call.cancel();
    await waitUntilIdle();
    expect(await terminated(database)).toBe(before);
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it('leaves the query to its timeout if no way to cancel exists, and the next call works', async () => {
    const { session } = await connectWithout({ words: SIGNALS, cancelRequests: true });
    const call = session.start('query', { sql: SLEEP, timeout_ms: 3000 });
    await vi.waitUntil(async () => (await countActive()) === '1', { interval: 5 });
    call.cancel();
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
    await vi.waitUntil(async () => (await countActive()) === '0');
  });

  it('serves every tool but listen if LISTEN is not supported', async () => {
    const { session } = await connectWithout({ words: ['LISTEN', 'listen'] });
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
    expect(await session.text('describe', { object: 'orders' })).toContain('order_lines');
    expect(await session.text('search_objects', { pattern: 'order' })).toContain('order_lines');
    expect(await session.text('list_databases')).toContain('mcp_ro');
  });

  it('reports UNSUPPORTED_ENGINE from listen if LISTEN is not supported', async () => {
    const { session } = await connectWithout({ words: ['LISTEN', 'listen'] }, { tools: ['extra'] });
    expect(await session.fails('listen', { channels: ['orders'] })).toBe(
      'UNSUPPORTED_ENGINE: this database server does not support LISTEN',
    );
  });
});
