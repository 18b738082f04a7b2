import { fileURLToPath } from 'node:url';

import { StreamableHTTPClientTransport as HttpTransport } from '@modelcontextprotocol/client';
import { connectHttp, connectProcess, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { GONE, JOINED, terminated, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({
  sample: true,
  sql: `
    create table wide as select g as id, g % 3 as third, repeat(md5(g::text), 4) as filler from generate_series(1, 60000) g;
    grant select on wide to mcp_ro;
    create function deaf() returns void language plpgsql as $$
      begin loop begin perform pg_sleep(600); exception when query_canceled then null; end; end loop; end $$;
    alter role mcp_ro set parallel_setup_cost = 0;
    alter role mcp_ro set min_parallel_table_scan_size = 0;
    alter role mcp_ro set enable_hashjoin = off;
    alter role mcp_ro set enable_mergejoin = off;
    analyze wide;
  `,
});

const BIN = fileURLToPath(new URL('../../../../bin/mcp-sql.js', import.meta.url));

const ACTIVE =
  "select count(*) from pg_stat_activity where state = 'active' and query like '%$marker$%' and application_name = 'mcp-sql'";

async function active(): Promise<string | null | undefined> {
  return (await database.asSuperuser(ACTIVE))[0]?.[0];
}

async function connections(): Promise<number> {
  const [[count] = []] = await database.asSuperuser("select count(*) from pg_stat_activity where application_name = 'mcp-sql'");
  return Number(count);
}

function transportOf({ client }: Session): HttpTransport {
  if (client.transport instanceof HttpTransport) return client.transport;
  throw new TypeError('the session is not on HTTP');
}

/** Starts a statement, and resolves once the database runs the statement. */
async function startQuery(
  session: Session,
  sql: string,
): Promise<{ readonly abort: () => void; readonly ended: Promise<string> }> {
  const controller = new AbortController();
  const call = session.client.callTool(
    { name: 'query', arguments: { sql: `${sql} -- $marker$` } },
    { signal: controller.signal },
  );
  const ended = call.then(
    () => 'answered',
    () => 'aborted',
  );
  await vi.waitUntil(async () => (await active()) !== '0', { interval: 5 });
  return { abort: () => controller.abort(), ended };
}

describe.each(JOINED)('a cancelled query, $name,', ({ join }) => {
  it.each([
    ['sleeps', 'select pg_sleep(600)'],
    ['computes', 'select count(*) from generate_series(1, 100000000000)'],
    ['sorts', "select * from (select a.filler || b.id as f from wide a, wide b order by 1 desc) s where f = ''"],
    ['sends rows', "select pg_sleep(0.5), repeat('x', 9000) from orders"],
  ])('is ended in the database at once if it %s, and the next call works', async (_, sql) => {
    const before = await terminated(database);
    await using session = await join(database.server());
    const { abort, ended } = await startQuery(session, sql);
    abort();
    await vi.waitUntil(async () => (await active()) === '0', GONE);
    expect(await terminated(database)).toBe(before);
    expect(await ended).toBe('aborted');
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it('is ended in the database at once with its workers, if it joins in parallel', async () => {
    const before = await terminated(database);
    await using session = await join(database.server());
    const { abort, ended } = await startQuery(session, 'select count(*) from wide a join wide b on a.third + b.third = 7');
    await vi.waitUntil(async () => Number(await active()) > 1, { interval: 5 });
    abort();
    await vi.waitUntil(async () => (await active()) === '0', GONE);
    expect(await terminated(database)).toBe(before);
    expect(await ended).toBe('aborted');
  });
});

describe.each(ERAS)('a cancelled query, on a %s connection,', (era) => {
  it('is not answered', async () => {
    await using session = await database.connect({}, era);
    const answers: unknown[] = [];
    const transport = session.client.transport!;
    const deliver = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if ('result' in message || 'error' in message) answers.push(message);
      deliver?.(message, extra);
    };
    const { abort, ended } = await startQuery(session, 'select pg_sleep(600)');
    abort();
    await ended;
    await vi.waitUntil(async () => (await active()) === '0', GONE);
    await session.text('query', { sql: 'select 1' });
    expect(answers).toHaveLength(1);
  });
});

describe('a cancel', () => {
  // Set MCP_TEST_CANCELS=1000 for a thorough run.
  it('never ends the query of another call, at any random moment', { timeout: 120_000 }, async () => {
    const rounds = Number(process.env['MCP_TEST_CANCELS'] ?? 80);
    await using session = await database.connect({ maxConnections: 3, policy: 'strict' });
    const cancelled = async (round: number): Promise<void> => {
      const call = session.start('query', { sql: `select count(*), ${round} from wide where id % 7 = 1` });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
      call.cancel();
      await call.result.catch(() => undefined);
    };
    const undisturbed = async (round: number): Promise<void> => {
      expect(await session.text('query', { sql: `select max(id) + ${round} from wide` })).toContain(String(60_000 + round));
    };
    for (let round = 0; round < rounds; round += 4) {
      const calls = [0, 1, 2, 3].flatMap((more) => [cancelled(round + more), undisturbed(round + more)]);
      await Promise.all(calls);
    }
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
    await vi.waitUntil(async () => (await connections()) <= 3, GONE);
  });

  it('ends the wait for a connection', async () => {
    await using session = await database.connect({ maxConnections: 1 });
    const first = await startQuery(session, 'select pg_sleep(600)');
    const controller = new AbortController();
    const second = session.client.callTool({ name: 'query', arguments: { sql: 'select 1' } }, { signal: controller.signal });
    controller.abort();
    await expect(second).rejects.toThrow(/abort/i);
    first.abort();
    await first.ended;
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it('does not affect other queries', async () => {
    await using session = await database.connect();
    const other = session.text('query', { sql: 'select pg_sleep(0.5), 42' });
    const { abort, ended } = await startQuery(session, 'select pg_sleep(600)');
    abort();
    await ended;
    expect(await other).toContain('42');
  });
});

describe('a query whose client has disconnected', () => {
  it.each([
    ['a closed response stream, on 2026-07-28,', 'modern', (client: HttpTransport) => client.close()],
    ['the end of a session', 'legacy', (client: HttpTransport) => client.terminateSession()],
  ] as const)('is ended in the database by %s', async (_, era, leave) => {
    await using session = await connectHttp(database.server(), { era });
    const { ended } = await startQuery(session, 'select pg_sleep(600)');
    await leave(transportOf(session));
    await vi.waitUntil(async () => (await active()) === '0', GONE);
    await session.client.close();
    expect(await ended).toBe('aborted');
  });

  it('continues if the session can resume and fetch the result', async () => {
    await using session = await connectHttp(database.server(), { era: 'legacy' });
    const { ended } = await startQuery(session, 'select pg_sleep(600)');
    await transportOf(session).close();
    expect(await ended).toBe('aborted');
    for (let look = 0; look < 50; look += 1) expect(await active()).toBe('1');
    await database.asSuperuser(ACTIVE.replace('count(*)', 'pg_cancel_backend(pid)'));
  });

  it.each(ERAS)('is ended in the database when the program ends, on a %s connection', async (era) => {
    const program = { command: process.execPath, args: [BIN, database.url(), '--policy', 'off'] };
    const session = await connectProcess(program, { era });
    const { ended } = await startQuery(session, 'select pg_sleep(600)');
    await session[Symbol.asyncDispose]();
    expect(await ended).toBe('aborted');
    await vi.waitUntil(async () => (await active()) === '0', GONE);
  });
});

describe('a backend that ignores a cancel', () => {
  it('is terminated', async () => {
    await using session = await database.connect();
    const { abort, ended } = await startQuery(session, 'select deaf()');
    abort();
    await vi.waitUntil(async () => (await active()) === '0', { interval: 20 });
    expect(await ended).toBe('aborted');
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });
});

describe('a server that is closed', () => {
  it('leaves no query behind', async () => {
    const session = await database.connect();
    const { ended } = await startQuery(session, 'select pg_sleep(600)');
    await session[Symbol.asyncDispose]();
    await ended;
    await vi.waitUntil(async () => (await active()) === '0', GONE);
  });
});

describe('a backend that is terminated', () => {
  it('fails its query with CONNECTION, and the next call works', async () => {
    await using session = await database.connect();
    const failed = session.fails('query', { sql: 'select pg_sleep(600) -- $marker$' });
    await vi.waitUntil(async () => (await active()) !== '0', { interval: 5 });
    await database.asSuperuser(ACTIVE.replace('count(*)', 'pg_terminate_backend(pid)'));
    expect(await failed).toMatch(/^CONNECTION/);
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });
});
