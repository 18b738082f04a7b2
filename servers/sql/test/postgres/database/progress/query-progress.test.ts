import { fileURLToPath } from 'node:url';

import { eachTransport, type Session } from '@org/mcp-testing';
import { describe, expect, inject, it } from 'vitest';

import { JOINED, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({
  sample: true,
  sql: `
    create table wide as select g as id, g % 3 as third, repeat(md5(g::text), 4) as filler from generate_series(1, 60000) g;
    grant select on wide to mcp_ro;
    grant execute on function pg_ls_tmpdir() to mcp_ro;
    alter role mcp_ro set work_mem = '64kB';
    alter role mcp_ro set parallel_setup_cost = 0;
    alter role mcp_ro set min_parallel_table_scan_size = 0;
    alter role mcp_ro set enable_hashjoin = off;
    alter role mcp_ro set enable_mergejoin = off;
    analyze wide;
  `,
});

const BIN = fileURLToPath(new URL('../../../../bin/mcp-sql.js', import.meta.url));

/** Limit in bytes above the default of 20,000, so that no result is truncated. */
const WHOLE = { maxBytes: 1_000_000 } as const;

/** Collects the methods of all messages of the server, with `answer` for responses. */
function sentTo({ client }: Session): readonly string[] {
  const sent: string[] = [];
  const transport = client.transport!;
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    sent.push('method' in message ? message.method : 'answer');
    deliver?.(message, extra);
  };
  return sent;
}

describe.concurrent.each(JOINED)('the progress of a query, $name,', ({ join }) => {
  it('is a heartbeat before the first row, then rows read of an estimated total', async ({ expect }) => {
    await using session = await join(database.server(WHOLE));
    // PostgreSQL sends rows when its buffer of a few kilobytes is full, so the rows are long.
    const sql = "select g, repeat('x', 3000), pg_sleep(case when g = 1 then 1.6 else 0.01 end) from generate_series(1, 60) g";
    const call = session.start('query', { sql });
    await call.result;
    const reports = call.progress.all;
    expect(reports[0]).toEqual({
      progress: expect.any(Number),
      message: expect.stringMatching(/^waiting for the first row for \d s, on Timeout PgSleep$/),
    });
    expect(reports[0]?.progress).toBeLessThan(1);
    expect(reports.at(-1)).toEqual({ progress: 60, total: 60, message: '60 of ~60 rows read' });
    const values = reports.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
  });
});

describe.concurrent('the progress of a query', () => {
  it.each([
    [
      'if the number of rows exceeds the estimate twofold',
      "select repeat('x', 3000), pg_sleep(0.01) from generate_series(1, 80) g where g % 1 = 0",
    ],
    [
      'without an estimate, because planning a long statement twice is too expensive',
      `select repeat('x', 3000), pg_sleep(0.01) from generate_series(1, 80) g -- ${'x'.repeat(65_536)}`,
    ],
  ])('has no total %s', async (_, sql) => {
    await using session = await database.connect(WHOLE);
    const call = session.start('query', { sql });
    await call.result;
    expect(call.progress.all.at(-1)).toEqual({ progress: 80, message: '80 rows read' });
  });

  it.each([
    ['parallel workers', 'select count(*) from wide a join wide b on a.third + b.third = 7', /, [12] parallel workers?\b/],
    [
      'temporary files',
      'select pg_sleep(600) from (select filler from wide order by filler offset 5) s',
      /, \d\.\d MB of temporary files$/,
    ],
  ])('reports %s', async (_, sql, message) => {
    await using session = await database.connect();
    const call = session.start('query', { sql });
    await call.progress.next((report) => message.test(report.message ?? ''));
    call.cancel();
  });

  it('reports the wait for a connection', async () => {
    await using session = await database.connect({ maxConnections: 1 });
    await session.text('query', { sql: 'select 1' });
    const first = session.start('query', { sql: 'select pg_sleep(600)' });
    await first.progress.next();
    const second = session.start('query', { sql: 'select 42' });
    expect((await second.progress.next()).message).toMatch(/^waiting for a connection for \d s$/);
    first.cancel();
    await second.result;
  });
});

const TRANSPORTS = eachTransport({
  server: () => database.server(),
  program: () => ({ command: process.execPath, args: [BIN, database.url(), '--policy', 'off', '--state-dir', inject('state')] }),
});

const CALLS: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[] = [
  ['query', {}],
  ['query', { keep: true }],
  ['export', {}],
  ['export', { format: 'ndjson' }],
  ['explain', { analyze: true }],
];

describe.concurrent.each(TRANSPORTS)('the progress of queries, kept results, exports and plans, $name,', ({ connect }) => {
  it('is not reported without a token or after the result', async ({ expect }) => {
    await using session = await connect({});
    const sent = sentTo(session);
    const silent = (): Promise<unknown> =>
      Promise.all(CALLS.map(([name, args]) => session.text(name, { ...args, sql: 'select pg_sleep(1.4)' })));
    const answers = CALLS.map(() => 'answer');
    await silent();
    expect(sent).toEqual(answers);
    const sql = "select repeat('x', 3000), pg_sleep(0.02) from generate_series(1, 70) g";
    const calls = CALLS.map(([name, args]) => session.start(name, { ...args, sql }));
    for (const { result, progress } of calls) {
      await result;
      expect(progress.all).not.toEqual([]);
    }
    const last = sent.lastIndexOf('answer');
    await silent();
    expect(sent.slice(last)).toEqual(['answer', ...answers]);
  });
});
