import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { useDatabase } from './postgres.ts';

const database = useDatabase({ sample: true });

const ACTIVE =
  "select count(*) from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like '%$marker$%'";

async function active(): Promise<string | null | undefined> {
  return (await database.asSuperuser(ACTIVE))[0]?.[0];
}

/** Starts a statement, and resolves once the database works on it. */
async function running(session: Session, sql: string): Promise<{ readonly abort: () => void; readonly ended: Promise<string> }> {
  const controller = new AbortController();
  const call = session.client.callTool(
    { name: 'query', arguments: { sql: `${sql} -- $marker$` } },
    { signal: controller.signal },
  );
  const ended = call.then(
    () => 'answered',
    () => 'aborted',
  );
  await vi.waitUntil(async () => (await active()) !== '0', { timeout: 20_000, interval: 5 });
  return { abort: () => controller.abort(), ended };
}

describe.each(ERAS)('a cancelled query, on a %s connection,', (era) => {
  it.each([
    ['sleeps', 'select pg_sleep(600)'],
    ['computes', 'select count(*) from generate_series(1, 100000000000)'],
    ['sends rows', "select pg_sleep(0.1), repeat('x', 9000) from orders"],
  ])('that %s is ended in the database within a second, and the next call works', async (_, sql) => {
    await using session = await database.connect({}, era);
    const { abort, ended } = await running(session, sql);
    abort();
    await vi.waitUntil(async () => (await active()) === '0', { timeout: 1000, interval: 5 });
    expect(await ended).toBe('aborted');
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it('is not answered', async () => {
    await using session = await database.connect({}, era);
    const answers: unknown[] = [];
    const transport = session.client.transport!;
    const deliver = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if ('result' in message || 'error' in message) answers.push(message);
      deliver?.(message, extra);
    };
    const { abort, ended } = await running(session, 'select pg_sleep(600)');
    abort();
    await ended;
    await vi.waitUntil(async () => (await active()) === '0', { timeout: 1000, interval: 5 });
    await session.text('query', { sql: 'select 1' });
    expect(answers).toHaveLength(1);
  });
});

describe('a cancel', () => {
  it('never lands on the next query of the only connection', async () => {
    await using session = await database.connect({ maxConnections: 1 });
    for (let round = 0; round < 40; round += 1) {
      const controller = new AbortController();
      const call = session.client
        .callTool({ name: 'query', arguments: { sql: 'select count(*) from orders' } }, { signal: controller.signal })
        .catch(() => undefined);
      setImmediate(() => controller.abort());
      await call;
      expect(await session.text('query', { sql: 'select sum(quantity) from order_lines' })).toContain('1 row');
    }
  });

  it('ends the waiting for a connection', async () => {
    await using session = await database.connect({ maxConnections: 1 });
    const first = await running(session, 'select pg_sleep(600)');
    const controller = new AbortController();
    const second = session.client.callTool({ name: 'query', arguments: { sql: 'select 1' } }, { signal: controller.signal });
    controller.abort();
    await expect(second).rejects.toThrow(/abort/i);
    first.abort();
    await first.ended;
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it('leaves other queries alone', async () => {
    await using session = await database.connect();
    const other = session.text('query', { sql: 'select pg_sleep(0.5), 42' });
    const { abort, ended } = await running(session, 'select pg_sleep(600)');
    abort();
    await ended;
    expect(await other).toContain('42');
  });
});

describe('a server that is closed', () => {
  it('leaves no query behind', async () => {
    const session = await database.connect();
    const { ended } = await running(session, 'select pg_sleep(600)');
    await session[Symbol.asyncDispose]();
    await ended;
    await vi.waitUntil(async () => (await active()) === '0', { timeout: 3000, interval: 5 });
  });
});

describe('a backend that is terminated', () => {
  it('fails its query with CONNECTION; the next call works', async () => {
    await using session = await database.connect();
    const failed = session.fails('query', { sql: 'select pg_sleep(600) -- $marker$' });
    await vi.waitUntil(async () => (await active()) !== '0', { timeout: 20_000, interval: 5 });
    await database.asSuperuser(ACTIVE.replace('count(*)', 'pg_terminate_backend(pid)'));
    expect(await failed).toMatch(/^CONNECTION/);
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });
});
