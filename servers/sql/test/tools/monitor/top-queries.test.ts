import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useDatabase } from '../../fixtures/postgres.ts';

const PRELOADED = { shared_preload_libraries: 'pg_stat_statements' };
const IN_A_SCHEMA = `create schema "odd ""name"; create extension pg_stat_statements schema "odd ""name"; grant usage on schema "odd ""name" to mcp_ro;`;

describe('top_queries', () => {
  const database = useDatabase({ sample: true, settings: PRELOADED, sql: IN_A_SCHEMA });

  it.each(ERAS)('lists the statements of the role, on a %s connection', async (era) => {
    await using client = await database.connect({}, era);
    await client.call('query', { sql: "select count(*) from orders where note = 'gift' -- `````" });
    await client.call('query', { sql: "select count(*) from orders where note = 'other' -- `````" });
    const { structuredContent } = await client.call('top_queries', { order: 'calls', limit: 100 });
    const query = {
      id: expect.stringMatching(/^-?\d+$/),
      calls: expect.any(Number),
      total_ms: expect.any(Number),
      mean_ms: expect.any(Number),
      rows: expect.any(Number),
      hit_percent: expect.any(Number),
      temp_blocks: 0,
      query: expect.stringContaining('from orders where note = $1'),
    };
    expect(structuredContent).toEqual({ available: true, queries: expect.arrayContaining([query]) });
    expect(await client.text('top_queries', { limit: 100 })).toMatch(/^`{6}csv\nid,calls,total_ms,[^]*note = \$1[^]*`{6}$/);
  });

  it('hides the texts of other roles like PostgreSQL', async () => {
    await database.asSuperuser("select 's3cret' as token");
    await using client = await database.connect();
    const text = await client.text('top_queries', { limit: 100 });
    expect(text).toContain('<insufficient privilege>');
    expect(text).not.toContain('token');
  });

  it.each(['total_time', 'mean_time', 'rows', 'reads', 'temp', 'wal'])('sorts by %s', async (order) => {
    await using client = await database.connect();
    const { structuredContent } = await client.call('top_queries', { order, limit: 1 });
    expect(structuredContent).toMatchObject({ queries: [{ query: expect.any(String) }] });
  });
});

describe('top_queries without pg_stat_statements', () => {
  const database = useDatabase({});

  it('reports the missing extension, and works after its installation', async () => {
    await using client = await database.connect();
    const missing = 'the extension pg_stat_statements is not installed in this database';
    expect((await client.call('top_queries')).structuredContent).toEqual({ available: false, reason: missing, queries: [] });
    await database.asSuperuser('create extension pg_stat_statements');
    expect(await client.text('top_queries')).toBe(
      'Not available: pg_stat_statements is installed, but not in shared_preload_libraries',
    );
  });
});
