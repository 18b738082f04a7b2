import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { ADVICE_SQL } from '../../fixtures/advice-cases.ts';
import { useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({ sql: ADVICE_SQL });
const BY_USER = 'select * from crm.events where user_id = 5';

interface Explained {
  readonly plan: string;
  readonly summary: { readonly cost: number; readonly cost_before?: number };
}

async function explain(args: Readonly<Record<string, unknown>>): Promise<Explained> {
  await using session = await database.connect();
  return (await session.call('explain', args)).structuredContent as Explained;
}

describe('explain with indexes', () => {
  it.each(ERAS)('plans as if an index existed, and creates none, on a %s connection', async (era) => {
    await using session = await database.connect({}, era);
    const text = await session.text('explain', { sql: BY_USER, indexes: ['create index on crm.events (user_id)'] });
    expect(text).toContain('index 1');
    expect(text).toMatch(/^cost [\d.]+ without the indexes$/m);
    expect(await database.asSuperuser("select count(*) from pg_indexes where tablename = 'events'")).toEqual([['1']]);
  });

  it.each([
    [
      'a named index',
      'create index concurrently if not exists by_user on crm.events using btree (user_id) include (kind)',
      BY_USER,
    ],
    ['an expression', 'create index on crm.customers (lower(email))', "select * from crm.customers where lower(email) = 'x'"],
    [
      'a part of the rows',
      "create index on crm.events (at) where state = 'open'",
      "select * from crm.events where state = 'open' order by at limit 5",
    ],
    ['JSON', 'create index on crm.events using gin (attrs)', `select id from crm.events where attrs @> '{"score": 5}'`],
    ['a partitioned table', 'create index on crm.orders (customer_id)', 'select * from crm.orders where customer_id = 7'],
  ])('assumes an index on %s', async (_, index, sql) => {
    const { plan, summary } = await explain({ sql, indexes: [index] });
    expect(plan).toContain('index 1');
    expect(summary.cost).toBeLessThanOrEqual(summary.cost_before ?? 0);
  });

  it('does not use a block range index where another index serves better', async () => {
    const sql = 'select * from crm.events where id between 5 and 900';
    expect((await explain({ sql, indexes: ['create index on crm.events using brin (id)'] })).plan).toContain('events_pkey');
  });

  it('estimates the plan that the built index has', async () => {
    const { summary } = await explain({ sql: BY_USER, indexes: ['create index on crm.events (user_id)'] });
    await database.asSuperuser('create index built on crm.events (user_id)');
    const built = await explain({ sql: BY_USER });
    await database.asSuperuser('drop index crm.built');
    expect(summary.cost / built.summary.cost).toBeCloseTo(1, 1);
  });

  it('chooses among several indexes, and plans for any values', async () => {
    const { plan } = await explain({
      sql: 'select * from crm.events where ip = $1',
      generic_plan: true,
      indexes: ['create index on crm.events (note)', 'create index on crm.events (ip)'],
    });
    expect(plan).toContain('index 2');
    expect(plan).not.toContain('index 1');
  });

  it.each([
    ['no statement', '', 'indexes must contain CREATE INDEX statements, each one by itself: ""'],
    [
      'another statement',
      'drop table crm.events',
      'indexes must contain CREATE INDEX statements, each one by itself: "drop table crm.events"',
    ],
    ['two statements', 'create index on crm.events (ip); drop table crm.events', 'indexes must contain CREATE INDEX statements'],
    ['a syntax error', 'create index on', 'indexes must contain CREATE INDEX statements'],
    [
      'another table',
      'create index on crm.customers (email)',
      'an index cannot be created: relation "crm.customers" does not exist',
    ],
    ['an unknown column', 'create index on crm.events (nope)', 'an index cannot be created: column "nope" does not exist'],
    [
      'a function of a user',
      'create index on crm.events (crm.f(id))',
      'an index cannot be created: function crm.f(bigint) does not exist',
    ],
    [
      'a function that is not immutable',
      'create index on crm.events ((now()))',
      'an index cannot be created: functions in index expression must be marked IMMUTABLE',
    ],
    ['an opclass of a file', "create index on crm.events (pg_read_file('/etc/passwd'))", 'an index cannot be created: '],
  ])('rejects %s', async (_, index, message) => {
    await using session = await database.connect();
    expect(await session.fails('explain', { sql: BY_USER, indexes: [index] })).toContain(`INVALID_ARGUMENTS: ${message}`);
  });

  it('rejects more than ten indexes, and options that run the statement', async () => {
    await using session = await database.connect();
    const index = 'create index on crm.events (ip)';
    expect(await session.fails('explain', { sql: BY_USER, indexes: Array.from({ length: 11 }, () => index) })).toMatch(
      /^INVALID_ARGUMENTS/,
    );
    for (const option of ['analyze', 'buffers', 'settings'])
      expect(await session.fails('explain', { sql: BY_USER, indexes: [index], [option]: true })).toMatch(
        /^INVALID_ARGUMENTS: indexes excludes analyze, buffers and settings/,
      );
  });

  it('suggests generic_plan if values are missing', async () => {
    await using session = await database.connect();
    const args = { sql: 'select * from crm.events where ip = $1', indexes: ['create index on crm.events (ip)'] };
    expect(await session.fails('explain', args)).toContain('generic_plan');
  });

  it('reports a schema that cannot be copied', async () => {
    await using session = await database.connect();
    const args = { sql: 'select * from crm.places where place = 5', indexes: ['create index on crm.places (place)'] };
    expect(await session.fails('explain', args)).toMatch(
      /^UNSUPPORTED_ENGINE: the statement cannot be planned in a model of the database.*point_pair.* does not exist/,
    );
  });

  it('ends when the call is cancelled', async () => {
    await using session = await database.connect();
    const pending = session.start('explain', { sql: BY_USER, indexes: ['create index on crm.events (ip)'] });
    pending.cancel('enough');
    await expect(pending.result).rejects.toThrow('enough');
  });
});
