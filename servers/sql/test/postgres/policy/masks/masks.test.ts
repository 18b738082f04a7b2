import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { connectProcess, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { failureOf } from '../../../fixtures/failure-of.ts';
import { useDatabase } from '../../../fixtures/postgres.ts';

const BIN = fileURLToPath(new URL('../../../../bin/mcp-sql.js', import.meta.url));

const MASKS = [
  'crm.customers.email',
  'crm.customers.phone=last4',
  'crm.listed.mail=redact',
  'crm.reviewed.email',
  'crm.events.who',
  'crm.staff.secret=redact',
  'crm.second_parent.secret',
  'crm.typed.code',
  'crm.Größe.Wert',
  '*.frequent.w*d=redact',
];

const database = useDatabase({ sql: readFileSync(new URL('crm.sql', import.meta.url), 'utf8') });
const open = (given: Parameters<typeof database.connect>[0] = {}): Promise<Session> =>
  database.connect({ policy: 'strict', mask: MASKS, ...given });

let session: Session;
beforeAll(async () => {
  session = await open();
});
afterAll(() => session[Symbol.asyncDispose]());

/** Returns everything that a client receives for a call. */
async function answerOf(name: string, args: object, on: Session = session): Promise<string> {
  return JSON.stringify(await on.client.callTool({ name, arguments: { ...args } }));
}

/** Returns the rows of a statement as CSV without the header, joined by ` | `. Returns `no rows` for an empty result. */
async function rowsOf(sql: string, on: Session = session): Promise<string> {
  const text = await on.text('query', { sql });
  if (/^\[?0 rows/m.test(text)) return 'no rows';
  return (/```csv\n[^\n]*\n([^`]*?)\n?```/.exec(text)?.[1] ?? text).replaceAll('\n', ' | ');
}

describe('a masked column', () => {
  it.each([
    ['a star', 'select * from crm.customers order by id', '1,Ada,,****0100,1815-12-10, | 2,Bo,,****,, | 3,Cy,,,1990-01-01,'],
    ['an alias', 'select c.email, c.name from crm.customers c order by c.id limit 1', ',Ada'],
    ['an alias with columns', 'select y from crm.customers as c (x, y, z) where x = 1', 'Ada'],
    ['a name from the search path', 'select email from customers where id = 1', ''],
    ['a quoted name', 'select "email" from "crm"."customers" where id = 1', ''],
    ['spaces inside the name', 'select email from crm . customers where id = 1', ''],
    ['a comment before the name', 'select email from /* x */ crm.customers where id = 1', ''],
    [
      'a join',
      'select o.id, c.email from crm.orders o join crm.customers c on c.id = o.customer_id order by 1',
      '10, | 11, | 12,',
    ],
    [
      'a lateral subquery',
      'select x.email from crm.orders o, lateral (select * from crm.customers c where c.id = o.customer_id) x limit 1',
      '',
    ],
    ['a WITH query', 'with q as (select * from crm.customers) select email from q where id = 1', ''],
    ['a set operation', "select email from crm.customers where id = 1 union all select 'x'", ' | x'],
    [
      'a row',
      'select row_to_json(c)::text from crm.customers c where id = 1',
      '"{""id"":1,""name"":""Ada"",""email"":null,""phone"":""****0100"",""born"":""1815-12-10"",""email_domain"":null}"',
    ],
    ['a comparison', "select count(*) from crm.customers where email like '%zebra%'", '0'],
    ['a scalar subquery', 'select (select max(email) from crm.customers)', ''],
    ['an EXISTS condition', "select exists (select from crm.customers where email > 'a')", 'f'],
    ['a failing cast', 'select email::int from crm.customers where id = 1', ''],
    ['a generated column', 'select email_domain from crm.customers where id = 1', ''],
    ['a view', 'select * from crm.contacts where id = 1', '1,Ada,'],
    ['a view of a view', 'select * from crm.renamed r where number = 1', '1,'],
    ['a view that the rules list', 'select id, name, mail from crm.listed where id = 1', '1,Ada,***'],
    ['a materialized view that the rules list', 'select * from crm.reviewed where id = 1', '1,Ada,'],
    ['a partition', 'select who from crm.events_2025', ''],
    ['a partitioned table', 'select who from crm.events', ''],
    ['a parent of the table', 'select secret from crm.people', '***'],
    ['a child that the rules list', 'select secret, salary from crm.staff', '***,100'],
    ['a table that an heir connects with the table', 'select * from crm.first_parent', '1,,'],
    ['a domain that rejects NULL', 'select * from crm.typed', '1,'],
    ['letters outside ASCII', 'select * from crm."Größe"', '1,'],
    ['a pattern', 'select distinct word from crm.frequent', '***'],
  ])('is hidden in %s', async (_, sql, rows) => {
    expect(await rowsOf(sql)).toBe(rows);
  });

  it('shows the last four characters of a text of at least eight with last4', async () => {
    await database.asSuperuser("update crm.customers set phone = '555-010-4711' where id = 2");
    expect(await rowsOf('select phone from crm.customers where id = 2')).toBe('****4711');
  });

  it('leaves other statements unchanged, and names the masked columns of a result', async () => {
    expect(await rowsOf('select * from crm.totals order by 1')).toBe('1,12 | 2,1');
    expect(await session.text('query', { sql: 'select * from crm.orders' })).not.toContain('MASKED');
    expect(await session.text('query', { sql: 'select id from crm.contacts' })).toContain(
      'MASKED: the operator masks crm.customers.email (null)',
    );
  });

  it.each([
    ['a WITH query with the name of the table', 'with customers as (select 1 as email) select email from customers'],
    ['a column with its schema', 'select crm.customers.email from crm.customers'],
    ['TABLE', 'table crm.customers'],
    ['TABLESAMPLE', 'select * from crm.customers tablesample system (100)'],
    ['ONLY', 'select * from only crm.customers'],
    ['a comment inside the name', 'select email from crm./* x */customers'],
    ['a name with Unicode escapes', String.raw`select email from crm.U&"customer\0073"`],
    ['a materialized view', 'select * from crm.copied'],
    ['pg_stats', "select most_common_vals::text from pg_stats where tablename = 'frequent'"],
    ['pg_catalog.pg_stats', 'select histogram_bounds::text from pg_catalog.pg_stats'],
    ['pg_stat_activity', 'select query from pg_stat_activity'],
    ['pg_stat_statements', 'select query from crm.pg_stat_statements'],
    ['pg_stat_get_activity', 'select query from pg_stat_get_activity(null)'],
    ['pg_prepared_statements', 'select statement from pg_prepared_statements'],
    ['query_to_xml', "select query_to_xml('select email from crm.customers', true, false, '')"],
    ['a function of a user', 'select crm.peek()'],
    ['a function of a user in a condition', "select 1 where crm.peek_of(1) like '%zebra%'"],
    ['a function of a user as a table', 'select * from crm.peek()'],
    ['an operator of a user', 'select operator(crm.###) 1'],
    ['an aggregate of a user', 'select crm.collect(1)'],
    ['a view that calls a function of a user', 'select * from crm.by_function'],
    ['a view that uses an operator of a user', 'select * from crm.by_operator'],
    ['a view that runs SQL from a text', 'select * from crm.by_xml'],
    ['a view of the activity', 'select * from crm.by_activity'],
    ['a view of the statistics', 'select * from crm.by_statistics'],
    ['EXPLAIN of an INSERT', 'explain insert into crm.customers (id, name) select 9, email from crm.customers'],
  ])('is refused, not shown, in %s', async (_, sql) => {
    const failed = await failureOf(session, 'query', { sql });
    expect(failed).toMatchObject({ code: 'POLICY_DENIED' });
    expect(await answerOf('query', { sql })).not.toContain('zebra');
  });

  it.each([
    ['describe with samples and statistics', 'describe', { object: 'crm.customers', include: ['columns', 'stats', 'sample'] }],
    ['describe of frequent values', 'describe', { object: 'crm.frequent', include: ['columns', 'stats'] }],
    ['activity', 'activity', {}],
    ['profile_column of the column', 'profile_column', { table: 'crm.customers', column: 'email' }],
    ['profile_column in upper case', 'profile_column', { table: 'CRM.Customers', column: 'EMAIL' }],
    ['profile_column of a view', 'profile_column', { table: 'crm.contacts', column: 'email' }],
  ])('is not revealed by %s, which shows it without the mask', async (_, name, args) => {
    // The session of the superuser is idle, and the activity shows its last statement.
    await database.asSuperuser("select 'zebra-activity'");
    await using open = await database.connect({ policy: 'strict' });
    expect(await answerOf(name, args, open)).toContain('zebra');
    expect(await answerOf(name, args)).not.toContain('zebra');
  });

  it('is not revealed by an exported file', async () => {
    await using open = await database.connect({ policy: 'strict' });
    const fileOf = async (on: Session): Promise<string> => {
      const exported = await answerOf('export', { sql: 'select * from crm.customers', format: 'csv' }, on);
      const [uri = ''] = /pgexport:[^"\\]+/.exec(exported) ?? [];
      return JSON.stringify(await on.client.readResource({ uri }));
    };
    expect(await fileOf(open)).toContain('zebra');
    expect(await fileOf(session)).toContain('Ada');
    expect(await fileOf(session)).not.toContain('zebra');
  });

  it('does not change the estimates of a plan by its values', async () => {
    const plan = async (value: string): Promise<string> =>
      (await session.text('explain', { sql: `select * from crm.frequent where word = '${value}'` })).replaceAll(value, '');
    expect(await plan('zebra-frequent')).toBe(await plan('another-word--'));
  });

  it('lets other columns of the table be profiled', async () => {
    expect(await session.text('profile_column', { table: 'crm.customers', column: 'name' })).toContain('Ada');
  });

  it('keeps its mask in a stored result', async () => {
    const sql = 'select c.*, g from crm.customers c, generate_series(1, 300) g';
    const result = await session.client.callTool({ name: 'query', arguments: { sql, keep: true } });
    expect(JSON.stringify(result)).not.toContain('zebra');
    expect(JSON.stringify(result)).toContain('MASKED');
  });

  it('follows a table that is renamed and a partition that is new', async () => {
    await using now = await open({ mask: ['crm.events.who', 'crm.note*.body'] });
    await database.asSuperuser(
      "create table crm.events_2026 partition of crm.events for values from ('2026-01-01') to ('2027-01-01'); insert into crm.events values ('2026-02-02', 'zebra-new')",
    );
    await database.asSuperuser('grant select on crm.events_2026 to mcp_ro');
    expect(await rowsOf('select who from crm.events_2026', now)).toBe('');
    await database.asSuperuser('alter table crm.notes rename to notebook');
    expect(await rowsOf('select body from crm.notebook', now)).toBe('');
    await database.asSuperuser('alter table crm.notebook rename to notes');
  });
});

// The tables of the sample have small OIDs, like the system catalogs of PostgreSQL, and must not be taken for system catalogs.
it('is hidden in a view of the sample database', async () => {
  const args = ['--sample', '--mask', 'shop.products.price'];
  await using sample = await connectProcess({ command: process.execPath, args: [BIN, ...args] });
  expect(await rowsOf('select count(*) > 0, count(revenue) from shop.revenue', sample)).toBe('t,0');
});

describe('a rule without a column', () => {
  it('lets nothing be read', async () => {
    await using wrong = await open({ mask: ['crm.customers.mail'] });
    const failed = await failureOf(wrong, 'query', { sql: 'select * from crm.orders' });
    expect(failed).toMatchObject({ code: 'POLICY_DENIED', data: { rule: 'masked', name: 'crm.customers.mail' } });
  });

  it('does not concern another database', async () => {
    const [url, other] = [database.url(), `other=${database.url()}`];
    await using both = await open({ url, database: [other], mask: ['other:crm.customers.email'] });
    const sql = 'select email from crm.customers where id = 1';
    expect(await both.text('query', { sql })).toContain('ada@zebra.example');
    expect(await both.text('query', { sql, database: 'other' })).not.toContain('zebra');
  });

  it('is rejected if the database is not served', async () => {
    await expect(open({ mask: ['elsewhere:crm.customers.email'] })).rejects.toThrow(
      '--mask elsewhere:crm.customers.email: there is no database "elsewhere"; available: postgres',
    );
  });
});

describe('a statement that writes, while columns are masked', () => {
  let writing: Session;
  beforeAll(async () => {
    await database.asSuperuser('grant insert, update, delete on all tables in schema crm to mcp_ro');
    await database.asSuperuser('grant create on schema crm to mcp_ro');
    writing = await open({ writable: true, url: database.url() });
  });
  afterAll(() => writing[Symbol.asyncDispose]());

  it.each([
    ['copies the column to another table', 'insert into crm.notes select 2, email from crm.customers where id = 1'],
    ['returns the column', 'update crm.customers set name = name returning email'],
    ['deletes by the column', "delete from crm.customers where email like '%zebra%'"],
    ['merges', 'merge into crm.notes n using crm.customers c on n.id = c.id when matched then update set body = c.email'],
    ['reads a view', 'insert into crm.notes select number, mail from crm.renamed'],
    ['reads the column in a subquery', 'update crm.notes set body = (select max(email) from crm.customers)'],
    ['calls a function of a user', 'insert into crm.notes values (3, crm.peek())'],
    [
      'runs SQL from a text',
      "insert into crm.notes select 3, query_to_xml('select email from crm.customers', true, false, '')::text",
    ],
    ['creates a view', 'create view crm.mine as select email from crm.customers'],
    ['creates a function', "create function crm.mine() returns text language sql as 'select max(email) from crm.customers'"],
    ['creates a table from a query', 'create table crm.mine as select email from crm.customers'],
    ['creates a table that inherits', 'create table crm.mine (x int) inherits (crm.customers)'],
    ['renames the table', 'alter table crm.customers rename to clients'],
    ['renames the schema', 'alter schema crm rename to cr'],
    ['runs a block', 'do $$ begin raise notice $x$%$x$, (select max(email) from crm.customers); end $$'],
    ['is a trigger', 'create trigger tr before insert on crm.notes for each row execute function crm.peek()'],
    ['grants', 'grant select on crm.customers to public'],
  ])('is refused if it %s', async (_, sql) => {
    const failed = await failureOf(writing, 'execute', { sql, dry_run: true });
    expect(failed).toMatchObject({ code: 'POLICY_DENIED' });
    expect(failed.text).not.toContain('zebra');
  });

  it('runs if it concerns other tables', async () => {
    const changed = await answerOf('execute', { sql: "update crm.notes set body = 'new' where id = 1", dry_run: true }, writing);
    expect(changed).toContain('1 row');
  });

  it('is refused as an import into the table', async () => {
    const args = { table: 'crm.customers', columns: ['id', 'name'], rows: [['4', 'Di']], dry_run: true };
    expect(await failureOf(writing, 'import', args)).toMatchObject({ code: 'POLICY_DENIED' });
  });
});

describe('the option --mask', () => {
  it.each(['customers.email', 'crm.customers', 'crm.customers.email=hash', 'crm..email', ''])('rejects %j', async (text) => {
    await expect(open({ mask: [text] })).rejects.toThrow(/--mask .* cannot be used/);
  });

  it('rejects the policy off, with which statements are not analysed', async () => {
    await expect(open({ policy: 'off' })).rejects.toThrow('--policy off');
  });
});
