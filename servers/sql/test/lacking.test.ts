import { connect, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { PostgresServer, type PostgresOptions } from '../src/index.ts';
import { GONE, optionsWith, terminated, useDatabase } from './postgres.ts';
import { startRefusingProxy, type Lacking, type RefusingProxy } from './servers/refusing-proxy.ts';

const database = useDatabase({ sample: true });

const PROGRESS_VIEWS = ['pg_stat_progress_', String.raw`pg\_stat\_progress\_`];
const SIGNALS = ['pg_cancel_backend', 'pg_terminate_backend'];
const SLEEP = 'select pg_sleep(600) -- $marker$';

async function served(
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

async function active(): Promise<string | null | undefined> {
  const asked = "select count(*) from pg_stat_activity where usename = 'mcp_ro' and state = 'active' and query like '%$marker$%'";
  return (await database.asSuperuser(asked))[0]?.[0];
}

async function quiet(): Promise<void> {
  await vi.waitUntil(async () => (await active()) === '0', GONE);
}

describe('an engine without', () => {
  it('views of progress still tells what a query waits for', async () => {
    const { session } = await served({ words: PROGRESS_VIEWS });
    const call = session.start('query', { sql: SLEEP });
    expect((await call.progress.next()).message).toMatch(/^waiting for the first row for \d s, on Timeout PgSleep$/);
    call.cancel();
    await quiet();
  });

  it('any view of what backends do tells how long a query runs', async () => {
    const { session } = await served({ words: [...PROGRESS_VIEWS, 'pg_stat_activity'] });
    const call = session.start('query', { sql: SLEEP });
    expect((await call.progress.next()).message).toMatch(/^waiting for the first row for \d s$/);
    call.cancel();
    await quiet();
  });

  it('a way to cancel by process id cancels by request', async () => {
    const { session, proxy } = await served({ words: SIGNALS });
    const call = session.start('query', { sql: SLEEP });
    await vi.waitUntil(async () => (await active()) === '1', { interval: 5 });
    const before = await terminated(database);
    call.cancel();
    await quiet();
    expect(await terminated(database)).toBe(before);
    expect(proxy.cancels()).toBe(1);
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it('cancel requests cancels by process id', async () => {
    const { session } = await served({ cancelRequests: true });
    const call = session.start('query', { sql: SLEEP });
    await vi.waitUntil(async () => (await active()) === '1', { interval: 5 });
    const before = await terminated(database);
    call.cancel();
    await quiet();
    expect(await terminated(database)).toBe(before);
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it('any way to cancel leaves the query to its timeout, and the next call works', async () => {
    const { session } = await served({ words: SIGNALS, cancelRequests: true });
    const call = session.start('query', { sql: SLEEP, timeout_ms: 3000 });
    await vi.waitUntil(async () => (await active()) === '1', { interval: 5 });
    call.cancel();
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
    await vi.waitUntil(async () => (await active()) === '0');
  });

  it('LISTEN answers every tool', async () => {
    const { session } = await served({ words: ['LISTEN', 'listen'] });
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
    expect(await session.text('describe', { object: 'orders' })).toContain('order_lines');
    expect(await session.text('search_objects', { pattern: 'order' })).toContain('order_lines');
    expect(await session.text('list_databases')).toContain('mcp_ro');
  });

  it('LISTEN says so where it is needed', async () => {
    const { session } = await served({ words: ['LISTEN', 'listen'] }, { tools: ['extra'] });
    expect(await session.fails('listen', { channels: ['orders'] })).toBe('UNSUPPORTED_ENGINE: this server has no LISTEN');
  });
});
