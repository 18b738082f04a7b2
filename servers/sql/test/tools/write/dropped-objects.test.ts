import { ERAS } from '@org/mcp-testing';
import { beforeEach, describe, expect, it } from 'vitest';

import { CONFIRMS, useApp } from '../../fixtures/app.ts';

const database = useApp(`
  create table foreign_owner (id int primary key);
  create schema shared;
  create table shared.inner_owner (id int primary key);
  grant usage on schema shared to app;
  grant select on foreign_owner, shared.inner_owner to app;
  create materialized view foreign_view as select 1 as one;
`);

beforeEach(async () => {
  await database.asSuperuser(`
    drop schema app cascade;
    create schema app authorization app;
    set role app; set search_path = app;
    create table customers (id int primary key, email text);
    create table orders (id bigserial primary key, customer int references customers);
    create view buyers as select distinct customer from orders;
    create view names as select c.email from customers c join buyers b on b.customer = c.id;
    create function first_customer() returns setof customers language sql as 'select * from app.customers limit 1';
    create table events (at date, note text) partition by range (at);
    create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01');
    reset role; reset search_path;`);
});

async function preview(sql: string): Promise<Readonly<Record<string, unknown>>> {
  await using session = await database.connect({ url: database.appUrl(), writable: true });
  const { structuredContent } = await session.call('execute', { sql, dry_run: true });
  return structuredContent as Readonly<Record<string, unknown>>;
}

async function failure(tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  await using session = await database.connect({ url: database.appUrl(), writable: true }, undefined, CONFIRMS);
  const text = await session.fails(tool, args);
  expect(session.elicited.all).toEqual([]);
  return text;
}

describe('the dry run of DROP', () => {
  it.each([
    ['customers', /constraint orders_customer_fkey on app\.orders/],
    ['customers', /view app\.names/],
    ['customers', /function app\.first_customer\(\)/],
    ['orders', /view app\.buyers, view app\.names/],
  ])('refuses %s without CASCADE and names %s', async (table, dependent) => {
    const text = await failure('execute', { sql: `drop table ${table}`, dry_run: true });
    expect(text).toMatch(/^CONSTRAINT: other objects depend on what is dropped: /);
    expect(text).toMatch(dependent);
    expect(text).toContain('with CASCADE, they are dropped too');
  });

  it('lists what CASCADE drops', async () => {
    expect(await preview('drop table customers cascade')).toMatchObject({
      dependents: ['function app.first_customer()', 'table constraint orders_customer_fkey on app.orders', 'view app.names'],
      lost: expect.arrayContaining(['also drops view app.names']),
    });
  });

  it('lists what is dropped with a schema', async () => {
    const { dependents } = await preview('drop schema app cascade');
    expect(dependents).toEqual(
      expect.arrayContaining(['table app.customers', 'table app.orders', 'view app.names', 'function app.first_customer()']),
    );
  });

  it('lists partitions, which are dropped without CASCADE', async () => {
    expect(await preview('drop table events')).toMatchObject({ dependents: ['table app.events_2026'] });
  });

  it.each(['drop view names', 'drop table if exists nothing', 'drop index if exists nothing'])(
    'names nothing else for: %s',
    async (sql) => {
      expect(await preview(sql)).not.toHaveProperty('dependents');
    },
  );

  it.each(ERAS)('is void after another object began to depend on the table, on a %s connection', async (era) => {
    const answers = [
      async () => {
        await database.asSuperuser('create view app.late as select * from app.names');
        return { confirm: true };
      },
      () => 'decline' as const,
    ];
    const elicitation = async () => (await answers.shift()?.()) ?? 'cancel';
    await using session = await database.connect({ url: database.appUrl(), writable: true }, era, { answers: { elicitation } });
    expect(await session.fails('execute', { sql: 'drop view names cascade' })).toMatch(/^DECLINED/);
    expect(session.elicited.all[1]?.message).toContain('also drops view app.late');
    expect(await database.asSuperuser(`select to_regclass('app.names')`)).toEqual([['app.names']]);
  });
});

describe('a statement on a relation of another owner', () => {
  it.each([
    'drop table foreign_owner',
    'alter table foreign_owner add note text',
    'alter table foreign_owner rename to other',
    'alter table foreign_owner set schema app',
    'create index on foreign_owner (id)',
    'create index concurrently on foreign_owner (id)',
    'vacuum foreign_owner',
    'analyze foreign_owner',
    'reindex table foreign_owner',
    'cluster foreign_owner using foreign_owner_pkey',
    'create policy p on foreign_owner',
    'refresh materialized view foreign_view',
  ])('fails before the user is asked: %s', async (sql) => {
    const qualified = sql.replaceAll(/\bforeign_(?=owner\b|view\b)/g, 'public.foreign_');
    expect(await failure('execute', { sql: qualified })).toMatch(/^PERMISSION: the role does not own (?:public\.)?foreign_/);
  });

  it('fails in run_maintenance, which PostgreSQL would only warn about', async () => {
    expect(await failure('run_maintenance', { action: 'analyze', table: 'public.foreign_owner' })).toMatch(/^PERMISSION/);
  });

  it('runs if the role owns the schema of a dropped table', async () => {
    await database.asSuperuser('alter schema shared owner to app');
    await using session = await database.connect({ url: database.appUrl(), writable: true }, undefined, CONFIRMS);
    expect(await session.text('execute', { sql: 'drop table shared.inner_owner' })).toBe('DROP TABLE, committed');
  });

  it('runs if the role has the privilege MAINTAIN', async () => {
    await database.asSuperuser('grant maintain on foreign_owner to app');
    await using session = await database.connect({ url: database.appUrl(), writable: true }, undefined, CONFIRMS);
    expect(await session.text('execute', { sql: 'analyze public.foreign_owner' })).toBe('ANALYZE, committed');
    await database.asSuperuser('revoke maintain on foreign_owner from app');
  });
});

describe('the question before a statement that loses nothing', () => {
  it.each([
    ['create table fresh (id int)', false],
    ['vacuum orders', false],
    ['create or replace view buyers as select distinct customer from orders', true],
    ['drop view names', true],
  ])('says that it cannot be undone only if it is true: %s', async (sql, isLost) => {
    await using session = await database.connect({ url: database.appUrl(), writable: true }, undefined, CONFIRMS);
    await session.call('execute', { sql });
    expect(session.elicited.all[0]?.message.includes('This cannot be undone.')).toBe(isLost);
  });
});
