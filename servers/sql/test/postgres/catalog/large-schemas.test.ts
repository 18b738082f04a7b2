import { describe, expect, it } from 'vitest';

import { useDatabase } from '../../fixtures/postgres.ts';

/** Creates the tables in several transactions, because one transaction cannot lock 5,000 new tables. */
const TABLES = `
  do $$ begin
    for batch in 0..9 loop
      for n in 1..500 loop
        execute format('create table public.wide_%s (%s)', batch * 500 + n,
          (select string_agg(format('c%s int', i), ', ') from generate_series(1, 10) i));
      end loop;
      commit;
    end loop;
  end $$`;

const WIDEST = `select ${Array.from({ length: 1600 }, (_, index) => `${index} as c${index}`).join(', ')}`;

const database = useDatabase({ sql: TABLES });

describe('a schema of 5,000 tables and 50,000 columns', () => {
  it('is searched, described and queried', async () => {
    await using session = await database.connect();
    expect(await session.text('search_objects', { pattern: 'wide_4321' })).toContain('wide_4321');
    expect(await session.text('describe', { object: 'wide_5000' })).toContain('c10');
    const { _meta: facts } = await session.call('query', {
      sql: "select attname from pg_attribute where attrelid::regclass::text like 'wide%' and attnum > 0",
      max_rows: 1000,
    });
    expect(facts).toMatchObject({ row_count: 1000, truncated: 'rows' });
    const all = await session.text('query', {
      sql: "select count(*) from information_schema.columns where table_schema = 'public'",
    });
    expect(all).toContain('50000');
  });

  it('suggests the most similar of its names', async () => {
    await using session = await database.connect();
    expect(await session.fails('query', { sql: 'table wide_77x' })).toContain('wide_77');
  });
});

describe('a row with the maximum number of columns', () => {
  it('is returned', async () => {
    await using session = await database.connect({ maxBytes: 1_000_000 });
    const { _meta: facts } = await session.call('query', { sql: WIDEST });
    expect(facts).toMatchObject({ row_count: 1, columns: { length: 1600 } });
  });
});
