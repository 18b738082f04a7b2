import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { CONFIRMS, useApp } from './fixtures/app.ts';
import { GONE } from './fixtures/postgres.ts';

const BIN = fileURLToPath(new URL('../bin/mcp-sql.js', import.meta.url));

const database = useApp(`
  set role app; set search_path = app;
  create type status as enum ('open', 'paid');
  create table customers (id int primary key, email text not null unique, country char(2) not null);
  comment on table customers is 'People who ordered at least once (Kunden)';
  create table orders (id int primary key, customer_id int not null references customers, status status not null, total numeric(10, 2) not null, placed date not null);
  insert into customers select g, 'c' || g || '@example.com', case when g % 3 = 0 then 'de' else 'fr' end from generate_series(1, 300) g;
  insert into orders select g, g % 300 + 1, case when g % 10 = 0 then 'open' else 'paid' end::status, g % 100, date '2026-01-01' + g % 90 from generate_series(1, 30000) g;
  create view revenue as select date_trunc('month', placed) as month, sum(total) as total from orders where status = 'paid' group by 1;
  create table stock (id int primary key, name text not null, count int not null check (count >= 0));
  insert into stock select g, 'thing ' || g, g from generate_series(1, 5) g;
  analyze;
  reset role; reset search_path;
`);

/** Starts the program with all tools, for a client that confirms each question. */
async function serve(): Promise<Session> {
  const state = await realpath(await mkdtemp(path.join(tmpdir(), 'everyday-')));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  const args = [BIN, database.appUrl(), '--writable', '--tools', 'all', '--state-dir', state];
  return connectProcess({ command: process.execPath, args }, CONFIRMS);
}

/** Runs SQL as superuser, without the server under test, and returns the first value. */
async function value(sql: string): Promise<string | null | undefined> {
  return (await database.asSuperuser(sql))[0]?.[0];
}

/** An everyday task: the calls of a model, and the check of their effects with plain SQL. */
type Task = readonly [what: string, run: (session: Session) => Promise<void>];

const TASKS: readonly Task[] = [
  [
    'find the table that a word of the business means',
    async (session) => {
      expect(await session.text('search_objects', { pattern: 'kunden' })).toContain('table app.customers');
      expect(await session.text('describe', { object: 'customers' })).toContain('referenced by orders (customer_id)');
    },
  ],
  [
    'answer a question with one query',
    async (session) => {
      const sql =
        'select c.country, count(*) as orders from orders o join customers c on c.id = o.customer_id group by 1 order by 1';
      const text = await session.text('query', { sql });
      const counted = await value(
        "select count(*) from app.orders o join app.customers c on c.id = o.customer_id where c.country = 'de'",
      );
      expect(text).toContain(`de,${counted}\n`);
    },
  ],
  [
    'ask with values that a user typed',
    async (session) => {
      const sql = 'select id from customers where email = $1 or id = $2 order by id';
      expect(await session.text('query', { sql, params: ["'; drop table customers; --", 7] })).toContain('```csv\nid\n7\n```');
      expect(await value("select to_regclass('app.customers')")).toBe('app.customers');
    },
  ],
  [
    'read a long result in pages',
    async (session) => {
      const first = await session.text('query', { sql: 'select id from orders order by id', max_rows: 100, keep: true });
      const [, handle = ''] = /handle (\S+)/.exec(first) ?? [];
      expect(await session.text('fetch_result', { handle, offset: 29_995, max_rows: 100 })).toContain(
        '29996\n29997\n29998\n29999\n30000',
      );
    },
  ],
  [
    'export the rows of a query to a file',
    async (session) => {
      const { structuredContent } = await session.call('export', { sql: 'select * from orders', filename: 'orders.csv' });
      const { uri, rows } = structuredContent as { uri: string; rows: number };
      expect(rows).toBe(30_000);
      const { contents } = await session.client.readResource({ uri });
      const [content] = contents;
      const text =
        content !== undefined && 'text' in content ? content.text : Buffer.from(content?.blob ?? '', 'base64').toString();
      expect(text.trimEnd().split('\n')).toHaveLength(30_001);
    },
  ],
  [
    'find out why a query is slow, and which index helps',
    async (session) => {
      const sql = 'select * from orders where customer_id = 5';
      expect(await session.text('explain', { sql, analyze: true })).toContain('Seq Scan on orders');
      expect(await session.text('advise_indexes', { sql })).toMatch(/customer_id/);
      await session.call('execute', { sql: 'create index concurrently orders_customer on orders (customer_id)' });
      expect(await value("select indisvalid from pg_index where indexrelid = 'app.orders_customer'::regclass")).toBe('t');
      expect(await session.text('explain', { sql })).toContain('orders_customer');
    },
  ],
  [
    'change rows after a look at what changes',
    async (session) => {
      const sql = 'update stock set count = count + 10 where id <= 2';
      const { structuredContent } = await session.call('execute', { sql, dry_run: true });
      expect(structuredContent).toMatchObject({ committed: false, affected: 2 });
      expect(await value('select sum(count) from app.stock')).toBe('15');
      await session.call('execute', { sql, max_affected: 2 });
      expect(await value('select sum(count) from app.stock')).toBe('35');
    },
  ],
  [
    'add a list of rows',
    async (session) => {
      await session.call('import', {
        table: 'stock',
        columns: ['id', 'name', 'count'],
        rows: [
          ['101', 'a "quoted", name', '1'],
          ['102', 'x', '2'],
        ],
      });
      expect(await value('select name from app.stock where id = 101')).toBe('a "quoted", name');
    },
  ],
  [
    'change the schema, and notice what depends on it',
    async (session) => {
      expect(await session.fails('execute', { sql: 'drop table orders' })).toMatch(/^CONSTRAINT: .*view app\.revenue/);
      await session.call('execute', { sql: "alter table stock add note text not null default ''" });
      expect(await value("select count(*) from pg_attribute where attrelid = 'app.stock'::regclass and attname = 'note'")).toBe(
        '1',
      );
    },
  ],
  [
    'document the schema: a diagram and types',
    async (session) => {
      expect(await session.text('er_diagram', { schema: 'app' })).toContain('customers ||--o{ orders : "customer_id"');
      expect(await session.text('generate_types', { tables: ['orders'] })).toContain('  status: "open" | "paid";');
    },
  ],
  [
    'check the health of the server, and what runs now',
    async (session) => {
      expect(await session.text('health')).toMatch(/ok: .*connections/);
      expect(await session.text('activity', { view: 'locks' })).not.toMatch(/^[A-Z_]+: /);
    },
  ],
  [
    'end a query that takes too long',
    async (session) => {
      const call = session.start('query', { sql: 'select count(*) from orders a, orders b, orders c' });
      const running =
        "select count(*) from pg_stat_activity where query like 'SELECT * FROM (%orders a, orders b%' and state = 'active'";
      await vi.waitUntil(async () => (await database.asSuperuser(running))[0]?.[0] !== '0', GONE);
      call.cancel();
      await vi.waitUntil(async () => (await database.asSuperuser(running))[0]?.[0] === '0', GONE);
      expect(await session.text('query', { sql: 'select 1 as one' })).toContain('one\n1\n');
    },
  ],
];

describe('an everyday task with SQL', () => {
  it.each(TASKS)('%s', async (_, run) => {
    await using session = await serve();
    await run(session);
  });
});
