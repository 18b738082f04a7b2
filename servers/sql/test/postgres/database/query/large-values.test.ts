import { describe, expect, it } from 'vitest';

import { codeOf, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({});
const MIB = 1024 * 1024;

/**
 * Samples the resident memory of this process every 5 ms. The returned function ends the sampling and returns the maximum growth
 * in bytes.
 */
function watchMemory(): () => number {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  return () => {
    clearInterval(timer);
    return Math.max(most, process.memoryUsage.rss()) - before;
  };
}

describe('a value', () => {
  it.each([
    ['of 600 MB', "select repeat('x', 600000000)"],
    ['of 20 MB', "select repeat('x', 20000000)"],
    ['of 300 MB, in bytea', "select repeat('x', 300000000)::bytea"],
  ])('is rejected before it is read, and the next call works: %s', async (_, sql) => {
    await using session = await database.connect({ maxConnections: 1 });
    await session.text('query', { sql: 'select 1' });
    const grown = watchMemory();
    expect(await codeOf(session, 'query', { sql })).toBe('TOO_LARGE');
    expect(grown()).toBeLessThan(100 * MIB);
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });

  it('is truncated if it has 10 MB', async () => {
    await using session = await database.connect();
    const { _meta: facts } = await session.call('query', { sql: "select repeat('x', 10000000)" });
    expect(facts).toMatchObject({ row_count: 1, truncated_values: 1 });
  });

  it('fails with TOO_LARGE if PostgreSQL cannot build it', async () => {
    await using session = await database.connect();
    expect(await codeOf(session, 'query', { sql: "select repeat('x', 2000000000)" })).toBe('TOO_LARGE');
  });

  it('is not read if it has 60 MB and is in the plan for the estimate', async () => {
    await using session = await database.connect();
    const sql = "select pg_sleep(2.5) from generate_series(1, 1) where current_user <> repeat('x', 60000000)";
    await session.text('query', { sql: 'select 1' });
    const grown = watchMemory();
    const call = session.start('query', { sql });
    await call.result;
    expect(call.progress.all.at(-1)).toEqual({ progress: 1, message: '1 row read' });
    expect(grown()).toBeLessThan(100 * MIB);
  });

  it('does not accumulate in memory over many rows', async () => {
    await using session = await database.connect();
    const grown = watchMemory();
    const { _meta: facts } = await session.call('query', {
      sql: "select repeat('x', 1000000) from generate_series(1, 400)",
      max_rows: 10_000,
    });
    expect(facts).toMatchObject({ truncated: 'bytes' });
    expect(grown()).toBeLessThan(150 * MIB);
  });
});
