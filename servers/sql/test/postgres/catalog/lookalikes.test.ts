import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { ERAS, type Era, type Session } from '@org/mcp-testing';
import { beforeAll, describe, expect, it } from 'vitest';

import { CONFIRMS, useApp } from '../../fixtures/app.ts';
import { fixture } from '../../fixtures/postgres.ts';

const SOURCES = fileURLToPath(new URL('../../../src', import.meta.url));

const database = useApp(`
  create extension intarray;
  set search_path = app;
  create table customers (id int primary key, email text unique);
  create type order_status as enum ('new', 'paid');
  create table orders (id bigint primary key, customer_id int not null references customers, status order_status not null, note text);
  insert into customers select g, g || '@example.com' from generate_series(1, 20) g;
  insert into orders select g, g % 20 + 1, 'new', 'note ' || g from generate_series(1, 200) g;
  create view big_orders as select * from orders where id > 10;
  create function twice(n int) returns int language sql immutable return n * 2;
  create sequence numbers;
  create domain amount as int check (value > 0);
  alter table customers owner to app;
  alter table orders owner to app;
  analyze;
  reset search_path;
`);

const CALLS: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ['list_databases', {}],
  ['search_objects', { pattern: 'order', schema: 'app' }],
  ['search_objects', { pattern: 'order', schema: 'app', detail: 'full' }],
  ...['app.orders', 'orders', 'big_orders', 'app.twice', 'numbers', 'amount', 'order_status', 'orders_pkey', 'app'].map(
    (object) =>
      [
        'describe',
        { object, include: ['columns', 'indexes', 'constraints', 'triggers', 'policies', 'dependents', 'ddl', 'sample'] },
      ] as const,
  ),
  ['er_diagram', { schema: 'app', columns: 'all' }],
  ['er_diagram', { tables: ['orders', 'app.customers'] }],
  ['generate_types', { schema: 'app' }],
  ['generate_types', { tables: ['orders'], language: 'typescript' }],
  ['compare_schemas', { schema: 'app', other_schema: 'public' }],
  ['profile_column', { table: 'orders', column: 'id' }],
  ['profile_column', { table: 'customers', column: 'email' }],
  ['query', { sql: 'select * from orders order by id limit 2' }],
  ['query', { sql: 'select count(*) from orders where id between $1 and $2', params: ['1', '5'] }],
  ['query', { sql: 'select id as order_number, total from qqqq' }],
  ['query', { sql: 'select idd from orders' }],
  ['explain', { sql: 'select * from orders where id = 5' }],
  ['advise_indexes', { sql: 'select * from orders where customer_id = 5' }],
];

/** Calls whose answers depend on the moment. */
const MONITORS: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ['health', {}],
  ['top_queries', {}],
  ...['sessions', 'locks', 'blocking_tree', 'progress'].map((view) => ['activity', { view }] as const),
];

const SQL = "update orders set note = 'x' where id = 200";

/** Calls that change the database in the same way each time. */
const WRITES: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ['execute', { sql: SQL }],
  ['execute', { sql: 'drop table if exists nothing cascade' }],
  ['execute', { sql: "insert into customers values (99, 'a')" }],
  ['execute', { sql: 'delete from customers where id = 99' }],
  ['import', { table: 'customers', columns: ['id', 'email'], rows: [['98', 'b']] }],
  ['execute', { sql: 'delete from customers where id = 98' }],
  ['run_maintenance', { action: 'analyze', table: 'orders' }],
  ['execute', { sql: 'vacuum orders' }],
];

/** Returns the words of the sources that may name a function. */
function readCalledNames(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const text = files.map((file) => readFileSync(path.join(SOURCES, file), 'utf8')).join('\n');
  return [...new Set([...text.matchAll(/\b[a-z][a-z_0-9]+(?=\()/g)].map(([name]) => name))];
}

function join(era: Era): Promise<Session> {
  return database.connect({ url: database.appUrl(), writable: true }, era, CONFIRMS);
}

async function answersOf(session: Session, calls: typeof CALLS): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const [name, args] of calls) {
    const { content, structuredContent } = await session.client.callTool({ name, arguments: { ...args } });
    answers.push(
      `${name} ${JSON.stringify(args)}: ${JSON.stringify({ content, structuredContent }).replaceAll(/elapsed_ms":[\d.]+/g, '')}`,
    );
  }
  return answers;
}

describe('operators and functions of a user with the exact types of an own statement', () => {
  const before = new Map<string, readonly string[]>();
  beforeAll(async () => {
    for (const era of ERAS) {
      await using session = await join(era);
      before.set(era, await answersOf(session, [...CALLS, ...WRITES]));
    }
    const names = readCalledNames().map((name) => `'${name}'`);
    await database.asSuperuser(fixture('lookalikes.sql').replaceAll('$NAMES', () => `array[${names.join(', ')}]`));
    await database.asSuperuser('alter role app set search_path = lookalikes, app, public');
  });

  it.each(ERAS)('change no answer, on a %s connection', async (era) => {
    await using session = await join(era);
    expect(await answersOf(session, [...CALLS, ...WRITES])).toEqual(before.get(era));
  });

  it.each(ERAS)('are not run by a tool that monitors the server, on a %s connection', async (era) => {
    await using session = await join(era);
    const answers = await answersOf(session, MONITORS);
    expect(answers.filter((answer) => answer.includes('of a user ran') || answer.includes('does not exist'))).toEqual([]);
  });
});
