import { ERAS, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { OBJECT_KINDS } from '../src/catalog/found-object.ts';
import { codeOf, GONE, terminated, useDatabase } from './fixtures/postgres.ts';
import { NO_DEBIANS, startDebians } from './fixtures/servers/installed-postgres.ts';

const ALL_PARTS = ['columns', 'constraints', 'indexes', 'triggers', 'policies', 'stats', 'size', 'dependents', 'sample', 'ddl'];

describe.skipIf(NO_DEBIANS)("on Debian's PostgreSQL 15", () => {
  const database = useDatabase({
    start: startDebians,
    sql: `
      create table shop.odd (id int generated always as identity primary key, b int generated always as (1) stored, note text not null, mood shop.order_status,
        unique nulls not distinct (note), check (b > 0) not valid);
      create index on shop.odd (note) include (b) where b > 0;
      create function shop.f(a int, variadic b text[] default '{}') returns int language sql begin atomic select 1; end;
      create procedure shop.p(inout a int) language plpgsql as 'begin end';
      create view shop.odds with (security_invoker = true) as select * from shop.odd;
      create materialized view shop.kept as select 1 as one;
      create table shop.parts (a int) partition by range (a);
      create table shop.parts_1 partition of shop.parts for values from (1) to (2);
      create policy mine on shop.odd using (true);
      create domain shop.positive as int check (value > 0);
      create table shop.rated (id int primary key, rating shop.positive, mood shop.order_status, at timestamptz default now());
      create table shop.rates (rated int references shop.rated on delete cascade, primary key (rated));
      insert into shop.rated values (1, 1);
      create function shop.changed() returns trigger language plpgsql as 'begin return new; end';
      create trigger changed before update on shop.rated for each row execute function shop.changed();
      grant select on all tables in schema shop to mcp_ro;
    `,
  });

  describe('every tool', () => {
    let session: Session;
    beforeAll(async () => {
      session = await database.connect({ tools: ['default', 'extra'] });
    });
    afterAll(() => session[Symbol.asyncDispose]());

    it.each<readonly [name: string, args: Readonly<Record<string, unknown>>]>([
      ['search_objects', { kinds: OBJECT_KINDS, schema: 'shop', detail: 'full', limit: 200 }],
      ['describe', { object: 'shop.orders', include: ALL_PARTS }],
      ...['shop', 'odd', 'odds', 'kept', 'parts', 'parts_1', 'f', 'p', 'positive', 'order_status', 'odd_id_seq', 'odd_pkey'].map(
        (object) => ['describe', { object, include: ALL_PARTS }] as const,
      ),
      ['explain', { sql: 'select * from orders', analyze: true, buffers: true, settings: true }],
      ['explain', { sql: 'select * from orders where id = $1', generic_plan: true }],
      ['health', {}],
      ['top_queries', {}],
      ['activity', { view: 'sessions' }],
      ['activity', { view: 'locks' }],
      ['activity', { view: 'blocking_tree' }],
      ['activity', { view: 'progress' }],
      ['advise_indexes', { sql: 'select * from orders where note = $$x$$' }],
      ['er_diagram', {}],
      ['profile_column', { table: 'orders', column: 'note' }],
      ['generate_types', {}],
      ['compare_schemas', { schema: 'shop', other_schema: 'public' }],
      ['listen', { channels: ['orders'], timeout_ms: 50 }],
    ])('answers %s %j', async (name, args) => {
      const { structuredContent } = await session.call(name, args);
      // A check that the server does not support has the status `unknown`, and no error of the database.
      expect(JSON.stringify(structuredContent)).not.toMatch(/does not exist|syntax error/);
    });
  });

  it('writes if it is permitted', async () => {
    const given = { url: database.url('superuser'), allowPrivilegedRole: true, writable: true, tools: ['default', 'extra'] };
    await using session = await database.connect(given, undefined, { answers: { elicitation: { confirm: true } } });
    expect(await session.text('execute', { sql: 'insert into shop.odd (note) values ($1)', params: ['one'] })).toContain('1 row');
    expect(await session.text('import', { table: 'shop.odd', columns: ['note'], rows: [['two']] })).toContain('1');
    for (const sql of [
      'create index concurrently again on shop.odd (b)',
      'drop index concurrently shop.again',
      'vacuum shop.odd',
    ])
      expect(await session.text('execute', { sql })).toContain('committed');
  });

  it.each([
    ['insert into shop.rated values (2, 2)', undefined],
    ['delete from shop.rated where id = 1', undefined],
    ["update shop.parts set a = a where a in (select id from shop.odds where note like 'x%')", undefined],
    ['update shop.rated set rating = 2', 'fires the trigger changed of shop.rated'],
    ["insert into shop.odd (note) values ('x')", 'draws a number from the sequence of column id of shop.odd'],
    ['delete from shop.rated where shop.f(1) = 1', 'calls the function shop.f(integer,text[])'],
    ["update shop.rates set rated = setval('shop.odd_id_seq', 9)", 'calls the function setval(regclass,bigint)'],
  ])('finds the effect of %s that a rollback may not undo', async (sql, effect) => {
    const given = { url: database.url('superuser'), allowPrivilegedRole: true, writable: true };
    await using session = await database.connect(given);
    const { structuredContent } = await session.call('execute', { sql, dry_run: true });
    expect(Object(structuredContent).not_rehearsed).toEqual(effect && [effect]);
  });

  describe.each(ERAS)('a %s connection', (era) => {
    it.each([
      ['query', { sql: 'select count(*) from orders' }, '1 row'],
      ['query', { sql: 'select * from orders', max_rows: 2 }, '2 rows'],
      ['query', { sql: "select '2024-02-29 23:59:59.123456+00'::timestamptz, 9223372036854775807" }, '59.123456'],
      ['search_objects', { pattern: 'order' }, 'order_lines'],
      ['describe', { object: 'orders' }, 'order_lines'],
      ['explain', { sql: 'select * from orders', analyze: true }, 'orders'],
      ['list_databases', {}, '15.'],
    ])('answers %s %j', async (name, args, text) => {
      await using session = await database.connect({}, era);
      expect(await session.text(name, args)).toContain(text);
    });

    it.each([
      ['drop table orders', 'READ_ONLY'],
      ['insert into orders default values', 'READ_ONLY'],
      ['select 1; drop table orders', 'SYNTAX'],
      ['select * from nowhere', 'UNDEFINED_OBJECT'],
      ['select pg_read_file($$PG_VERSION$$)', 'PERMISSION'],
    ])('rejects %s', async (sql, code) => {
      await using session = await database.connect({}, era);
      expect(await codeOf(session, 'query', { sql })).toBe(code);
    });

    it('enforces a timeout without transaction_timeout', async () => {
      await using session = await database.connect({}, era);
      expect(await session.fails('query', { sql: 'select pg_sleep(600)', timeout_ms: 200 })).toMatch(/^TIMEOUT/);
    });

    it('cancels in the database, and reports the wait event of a query', async () => {
      await using session = await database.connect({}, era);
      const call = session.start('query', { sql: 'select pg_sleep(600) -- $marker$' });
      const { message } = await call.progress.next();
      expect(message).toMatch(/^waiting for the first row for \d s, on Timeout PgSleep$/);
      const before = await terminated(database);
      call.cancel();
      const active =
        "select count(*) from pg_stat_activity where usename = 'mcp_ro' and state = 'active' and query like '%$marker$%'";
      await vi.waitUntil(async () => (await database.asSuperuser(active))[0]?.[0] === '0', GONE);
      expect(await terminated(database)).toBe(before);
    });
  });
});
