import { describe, expect, it, vi } from 'vitest';

import { loadPg } from '../../../src/postgres/database/protocol/load-pg.ts';
import { CONFIRMS } from '../../fixtures/app.ts';
import { useWitnessed } from '../../fixtures/effects-witness.ts';
const database = useWitnessed();

describe('the preview of an ordinary write', () => {
  it.each([
    ['an insert', "insert into plain values (7, 'x'), (8, 'y')", 2],
    ['an insert with harmless defaults', "insert into customers (id, email, age) values (7, 'x@y.z', 30)", 1],
    ['an insert that gives the value of a serial column', "insert into notes values (7, 'x')", 1],
    ['an insert that names a serial column', "insert into notes (id, note) values (7, 'x')", 1],
    ['an insert of what is selected', 'insert into plain select g, md5(random()::text) from generate_series(10, 19) g', 10],
    ['an upsert', "insert into plain values (1, 'x') on conflict (id) do update set note = excluded.note || now()", 1],
    ['an insert into a partition', "insert into logs values ('2024-03-01', 'x')", 1],
    ['an insert through a view', "insert into good_customers values (7, 'x@y.z', 'good')", 1],
    ['an update', "update plain set note = upper(coalesce(note, '')) where id between 1 and 9 and note is distinct from 'x'", 2],
    [
      'an update with the operators of an extension',
      "update customers set email = email || '.uk' where email operator(public.=) 'A@B.C'",
      1,
    ],
    ['an update of an enum', "update customers set mood = 'bad'::mood, facts = facts || '{\"a\": 1}', tags = array['a', 'b']", 2],
    ['an update of a key that cascades', 'update customers set id = id + 10 where id = 1', 1],
    ['an update of partitions', 'update logs set note = $1', 1],
    ['an update of a table whose trigger is for inserts', 'update insert_triggered set n = 1', 0],
    ['a delete that cascades', 'delete from customers where id = 1', 1],
    ['a merge', 'merge into plain p using (values (1)) v (id) on p.id = v.id when matched then delete', 1],
    ['a CTE that writes', 'with d as (delete from orders where total > 10 returning *) select id, sum(total) over () from d', 2],
    ['a notification', "update plain set note = 'x' where pg_notify('marked', 'x') is null", 0],
    ['a large object', 'update plain set note = lo_create(0)::text where id = 1', 1],
    ['a lock of the transaction', 'update plain set note = pg_advisory_xact_lock(7)::text where id = 1', 1],
    ['a volatile function without effects', 'update plain set note = gen_random_uuid()::text || clock_timestamp()', 2],
  ])('runs for %s, and has no effect', async (_, sql, affected) => {
    await using session = await database.writing('app');
    const before = await database.effects();
    const call = { sql, ...(sql.includes('$1') && { params: ['1'] }), dry_run: true };
    const { structuredContent: facts } = await session.call('execute', call);
    expect(facts).not.toHaveProperty('not_rehearsed');
    expect(facts).toMatchObject({ committed: false, affected, warnings: expect.any(Array) });
    expect(await database.effects()).toEqual(before);
  });

  it.each([
    ['an update', "update plain set note = 'x' where id = 1", ['row: note=one → x, id=1']],
    ['an update without a difference', 'update plain set note = note where id = 1', ['row: id=1, note=one']],
    ['an update to NULL', 'update plain set note = null where id = 1', ['row: note=one → NULL, id=1']],
    [
      'an update with other tables',
      "update plain as old set note = new.note from (values (1, 'x')) new (id, note) where new.id = old.id",
      ['row: note=one → x, id=1'],
    ],
    [
      'an update of a view',
      "update good_customers set email = 'x@y.z' where id = 1",
      [expect.stringMatching(/^row: email=.+ → x@y\.z, id=1, /)],
    ],
    ['an insert', "insert into plain values (7, 'x')", ['row: id=7, note=x']],
    [
      'an upsert',
      "insert into plain values (1, 'x'), (7, 'y') on conflict (id) do update set note = excluded.note",
      ['row: note=one → x, id=1', 'new row: id=7, note=y'],
    ],
    ['a delete', 'delete from plain where id = 1', ['row: id=1, note=one']],
    [
      'a merge',
      "merge into plain p using (values (1), (2), (7)) v (id) on p.id = v.id when matched and p.id = 1 then delete when matched then update set note = 'x' when not matched then insert values (v.id, 'y')",
      ['deleted row: id=1, note=one', 'row: note=two → x, id=2', 'new row: id=7, note=y'],
    ],
    ['an update with RETURNING', "update plain set note = 'x' where id = 1 returning id", ['row: id=1']],
  ])('shows the rows of %s', async (_, sql, rows) => {
    await using session = await database.writing('app');
    const { structuredContent } = await session.call('execute', { sql, dry_run: true });
    const { lost } = structuredContent as { lost: readonly string[] };
    expect(lost.filter((line) => /^(?:new |deleted )?row: /.test(line))).toEqual(rows);
  });

  it('runs for an import without side effects', async () => {
    await using session = await database.writing('app');
    const call = { table: 'notes', columns: ['id', 'note'], rows: [['7', 'x']], dry_run: true };
    const { structuredContent: facts } = await session.call('import', call);
    expect(facts).not.toHaveProperty('not_rehearsed');
    expect(await session.fails('import', { ...call, rows: [['1', 'x']] })).toMatch(/^CONSTRAINT: row 1/);
  });
});

describe('a write without a preview', () => {
  it('reports the reason, and runs once after the confirmation', async () => {
    await using session = await database.writing('app', CONFIRMS);
    const sql = "insert into serial (note) values ('x') returning id";
    expect(await session.text('execute', { sql })).toMatch(/^INSERT: 1 row, committed\n```csv\nid\n1\n/);
    expect(session.elicited.all.map(({ message }) => message.split('\n'))).toEqual([
      [
        'Run this statement in postgres?',
        expect.stringMatching(
          /^- no preview: the statement was not run, because a rollback may not undo all of it: it calls the function nextval\(regclass\) \(column id of (?:app\.)?serial\)$/,
        ),
        expect.stringMatching(/^- on (?:app\.)?serial: /),
        `- SQL: ${sql}`,
        'This cannot be undone.',
      ],
    ]);
    expect(await database.asSuperuser('select last_value, is_called from app.serial_id_seq')).toEqual([['1', 't']]);
    expect(await session.fails('execute', { sql: 'insert into serial (note) select note from plain', max_affected: 1 })).toMatch(
      /^TOO_LARGE/,
    );
  });

  it('fails if its effects differ from the confirmed effects', async () => {
    await using session = await database.writing('app');
    const dryRun = async (sql: string): Promise<string> => {
      const { structuredContent } = await session.call('execute', { sql, dry_run: true });
      return (structuredContent as { confirm_token: string }).confirm_token;
    };
    const calls = ['insert into free values (1, 1)', "insert into free values (nextval('sq'), 1)"];
    const tokens = [];
    for (const sql of calls) tokens.push(await dryRun(sql));
    await database.asSuperuser('create trigger later before insert on app.free for each row execute function app.mark_trigger()');
    const before = await database.effects();
    for (const [index, sql] of calls.entries())
      expect(await session.fails('execute', { sql, confirm_token: tokens[index] })).toMatch(/^PRECONDITION_FAILED/);
    expect(await database.effects()).toEqual(before);
    await database.asSuperuser('drop trigger later on app.free');
  });

  it.each(['pg_catalog', 'PG_CATALOG'])('is a statement with a search_path that hides %s', async (catalog) => {
    await database.asSuperuser(`
      create function app.quote_ident(text) returns text language sql as 'select app.mark(1)::text';
      do $$ begin execute 'alter role app set search_path to ' || quote_literal('app, ${catalog}'); end $$`);
    await using session = await database.writing('app');
    const before = await database.effects();
    const { structuredContent } = await session.call('execute', { sql: 'insert into serial default values', dry_run: true });
    await database.asSuperuser('alter role app set search_path = app; drop function app.quote_ident');
    expect(structuredContent).toMatchObject({ not_rehearsed: [expect.stringMatching(/search_path/)] });
    expect(await database.effects()).toEqual(before);
  });

  it.each([
    ['that it writes', 'insert into free values (1, 1)', 'free'],
    ['whose rows a foreign key deletes', 'delete from customers where id = 1', 'lines'],
    ['that is a partition', "insert into logs values ('2024-03-01', 'x')", 'logs_2024'],
  ])('is a statement whose table %s gets a trigger at the same time', async (_, sql, table) => {
    const { Client } = await loadPg();
    const other = new Client(database.config('superuser'));
    await other.connect();
    await using session = await database.writing('app');
    const before = await database.effects();
    await other.query(`begin;
      create trigger sudden before insert or delete on app.${table} for each row execute function app.mark_trigger()`);
    const call = session.call('execute', { sql, dry_run: true });
    await vi.waitUntil(
      async () => (await database.asSuperuser("select from pg_locks where not granted and mode = 'RowExclusiveLock'")).length > 0,
      { interval: 5, timeout: 10_000 },
    );
    await other.query('commit');
    const { structuredContent } = await call;
    await other.query(`drop trigger sudden on app.${table}`);
    await other.end();
    expect(structuredContent).toMatchObject({ not_rehearsed: [expect.stringMatching(`trigger sudden of (?:app\\.)?${table}`)] });
    expect(await database.effects()).toEqual(before);
  });
});
