import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { ADVICE_SQL, USELESS } from '../../fixtures/advice-cases.ts';
import { useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({ sample: true, sql: ADVICE_SQL });
const EXTRA = { tools: ['extra'] };

describe('advise_indexes', () => {
  it.each(USELESS)('proposes no index for %s', async (sql) => {
    await using session = await database.connect(EXTRA);
    expect((await session.call('advise_indexes', { sql })).structuredContent).toMatchObject({ proposals: [] });
  });

  it.each(ERAS)('reports size and write cost, on a %s connection', async (era) => {
    await using session = await database.connect(EXTRA, era);
    const { structuredContent } = await session.call('advise_indexes', { sql: "select * from orders where note = 'gift'" });
    expect(structuredContent).toEqual({
      proposals: [
        {
          table: 'shop.orders',
          index_sql: 'create index concurrently on shop.orders ("note")',
          size_bytes: expect.any(Number),
          write_cost: expect.stringMatching(
            /^2 indexes exist; writes since the statistics were reset .*: inserts \d+, updates 0$/,
          ),
          cost_before: expect.any(Number),
          cost_after: expect.any(Number),
          plan_before: expect.stringContaining('Seq Scan on orders'),
          plan_after: expect.stringContaining('proposal 1'),
        },
      ],
      notes: [],
    });
  });

  it.each([
    ['select * from products', 'shop.products: reading all 400 rows is faster than using an index'],
    ['select * from orders', 'No index that this tool knows would help'],
    ["select * from orders where status <> 'new'", 'No index that this tool knows would help'],
    ['select * from orders where id % 2 = 1', 'No index that this tool knows would help'],
    ['select * from orders where id = 5', 'No index that this tool knows would help'],
  ])('reports that it knows no index, for %s', async (sql, why) => {
    await using session = await database.connect(EXTRA);
    expect(await session.text('advise_indexes', { sql })).toContain(why);
  });

  it('proposes both indexes for either of two columns', async () => {
    await using session = await database.connect(EXTRA);
    const text = await session.text('advise_indexes', { sql: "select * from crm.events where user_id = 5 or ip = 'x'" });
    expect(text).toContain('on crm.events ("user_id")');
    expect(text).toContain('on crm.events ("ip")');
  });

  it('proposes indexes without costs if the schema cannot be copied', async () => {
    await using session = await database.connect(EXTRA);
    const { structuredContent } = await session.call('advise_indexes', {
      sql: 'select * from crm.places where place = $1',
      params: ['5'],
    });
    expect(structuredContent).toEqual({
      proposals: [expect.objectContaining({ index_sql: 'create index concurrently on crm.places ("place")' })],
      notes: [
        expect.stringMatching(/^the costs with the proposed indexes are unknown, because .*type .*point_pair.* does not exist/),
      ],
    });
    expect(structuredContent).not.toHaveProperty('proposals.0.cost_before');
  });

  it('reports a missing extension for LIKE', async () => {
    await database.asSuperuser('drop extension pg_trgm');
    await using session = await database.connect(EXTRA);
    const text = await session.text('advise_indexes', { sql: "select * from crm.customers where name like '%abcdef%'" });
    expect(text).toContain('the extension pg_trgm is not installed');
    await database.asSuperuser('create extension pg_trgm');
  });
});

describe('health', () => {
  it('proposes SQL that runs for a foreign key of a partitioned table', async () => {
    // Autovacuum analyzes partitions, but not the partitioned table itself. The test sets -1, the row count of a table that was
    // never analyzed.
    await database.asSuperuser("update pg_class set reltuples = -1 where oid = 'crm.orders'::regclass");
    await using session = await database.connect();
    const { structuredContent } = await session.call('health', { checks: ['missing_fk_indexes'] });
    const { checks } = structuredContent as { checks: readonly { fix_sql: readonly string[] }[] };
    const sql = checks[0]?.fix_sql.find((text) => text.includes('crm.orders'));
    expect(sql).toBe('create index on crm.orders (customer_id)');
    await database.asSuperuser(`begin; ${sql}; rollback`);
  });
});
