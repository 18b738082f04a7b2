import { ERAS } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { loadPg } from '../../../src/postgres/database/protocol/load-pg.ts';
import { failureOf } from '../../fixtures/failure-of.ts';
import { codeOf, GONE } from '../../fixtures/postgres.ts';
import { CONFIRMS, STOCK, useStock } from '../../fixtures/stock.ts';

const database = useStock();
const { appUrl, counts, sleeping, writing } = database;

const UPDATE = { sql: 'update stock set count = count + $1::int where id <= 2', params: ['10'] };

describe.each(ERAS)('execute, on a %s connection,', (era) => {
  it('asks the user with the affected rows, and commits after the confirmation', async () => {
    await using session = await writing(era, CONFIRMS);
    const { _meta: facts, content } = await session.call('execute', UPDATE);
    expect(facts).toMatchObject({ committed: true, command: 'UPDATE', affected: 2, elapsed_ms: expect.any(Number) });
    expect(content).toMatchObject([{ text: 'UPDATE: 2 rows, committed' }]);
    expect(session.elicited.all.map(({ message }) => message.split('\n'))).toEqual([
      [
        'Run this statement, which affects 2 rows, in postgres?',
        `- SQL: ${UPDATE.sql}`,
        '- row: count=1 → 11, id=1, name=thing 1',
        '- row: count=2 → 12, id=2, name=thing 2',
        'This cannot be undone.',
      ],
    ]);
    expect(await counts()).toBe('11 12 3 4 5');
  });

  it.each(['decline', 'cancel', { confirm: false }] as const)('changes nothing after the answer %o', async (elicitation) => {
    await using session = await writing(era, { answers: { elicitation } });
    expect(await session.fails('execute', UPDATE)).toMatch(/^DECLINED: .*which affects 2 rows/);
    const { structuredContent } = await session.call('execute', { ...UPDATE, dry_run: true });
    expect(structuredContent).not.toHaveProperty('confirm_token');
    expect(await counts()).toBe('1 2 3 4 5');
  });

  it('returns a preview to a client without elicitation, and commits with the token', async () => {
    await using session = await writing(era);
    expect(await session.fails('execute', UPDATE)).toMatch(/^CONFIRMATION_REQUIRED: .*which affects 2 rows/);
    const { structuredContent } = await session.call('execute', { ...UPDATE, dry_run: true });
    expect(structuredContent).toMatchObject({ committed: false, affected: 2, warnings: [], confirm_token: expect.any(String) });
    expect(await counts()).toBe('1 2 3 4 5');
    const { confirm_token } = structuredContent as { confirm_token: string };
    for (const other of [{ params: ['11'] }, { sql: UPDATE.sql.replace('2', '3') }])
      expect(await session.fails('execute', { ...UPDATE, ...other, confirm_token })).toMatch(/^PRECONDITION_FAILED/);
    expect(await session.text('execute', { ...UPDATE, confirm_token })).toBe('UPDATE: 2 rows, committed');
    expect(await session.fails('execute', { ...UPDATE, confirm_token })).toMatch(/^PRECONDITION_FAILED: .* already used/);
    expect(await counts()).toBe('11 12 3 4 5');
  });

  it('changes nothing if the number of rows differs from the confirmed number', async () => {
    const answers = [
      async () => {
        await database.asSuperuser('delete from app.stock where id = 1');
        return { confirm: true };
      },
      () => 'decline' as const,
    ];
    const elicitation = async () => (await answers.shift()?.()) ?? 'cancel';
    await using asking = await writing(era, { answers: { elicitation } });
    expect(await asking.fails('execute', UPDATE)).toMatch(/^DECLINED/);
    expect(asking.elicited.all.map(({ message }) => /\d rows?/.exec(message)?.[0])).toEqual(['2 rows', '1 row']);
    expect(await counts()).toBe('2 3 4 5');
    await using session = await writing(era);
    const { structuredContent } = await session.call('execute', { ...UPDATE, dry_run: true });
    await database.asSuperuser("insert into app.stock values (0, 'new', 0)");
    const { confirm_token } = structuredContent as { confirm_token: string };
    expect(await session.fails('execute', { ...UPDATE, confirm_token })).toMatch(/^PRECONDITION_FAILED/);
    expect(await counts()).toBe('0 2 3 4 5');
  });

  it('rolls back a cancelled statement and a cancelled preview', async () => {
    await using session = await writing(era, CONFIRMS);
    for (const wait of ['', ' where id = 2']) {
      const controller = new AbortController();
      const sql = `update stock set count = count + length(pg_sleep(600)::text)${wait}`;
      const call = session.client.callTool({ name: 'execute', arguments: { sql } }, { signal: controller.signal });
      await vi.waitUntil(async () => (await sleeping()) === '1', { interval: 5 });
      controller.abort();
      await expect(call).rejects.toThrow();
      await vi.waitUntil(async () => (await sleeping()) === '0', GONE);
    }
    expect(await counts()).toBe('1 2 3 4 5');
  });
});

describe('execute', () => {
  it('is offered only with --writable and without --read-only, and reading tools stay read-only', async () => {
    await using reading = await database.connect({ url: appUrl() });
    await expect(reading.call('execute', UPDATE)).rejects.toThrow('Unknown tool: execute');
    await using both = await database.connect({ url: appUrl(), writable: true, readOnly: true });
    await expect(both.call('execute', UPDATE)).rejects.toThrow('Unknown tool: execute');
    await using session = await writing();
    expect(await codeOf(session, 'query', { sql: 'with d as (delete from stock returning 1) select * from d' })).not.toBe('runs');
    expect((await session.call('list_databases', {})).structuredContent).toMatchObject({ databases: [{ read_only: false }] });
  });

  it.each([
    [
      'rows that were returned',
      'delete from stock where id > 3 returning id, name',
      'DELETE: 2 rows, committed\n```csv\nid,name\n4,thing 4\n5,thing 5\n```',
    ],
    ['an insert', "insert into stock values (6, 'six', 6)", 'INSERT: 1 row, committed'],
    [
      'a conflict that updates',
      "insert into stock values (1, 'one', 6) on conflict (id) do update set name = excluded.name",
      'INSERT: 1 row, committed',
    ],
    [
      'a merge',
      "merge into stock s using (values (1), (9)) v (id) on s.id = v.id when matched then delete when not matched then insert values (v.id, 'x', 0)",
      'MERGE: 2 rows, committed',
    ],
    [
      'a CTE that writes',
      'with d as (delete from stock where id = 1 returning id) select count(*) from d',
      'SELECT: 1 row, committed\n```csv\ncount\n1\n```',
    ],
    ['code', 'do $$ begin delete from stock; end $$', 'DO, committed'],
    ['a comment at its end', 'delete from stock where id = 1 -- gone;', 'DELETE: 1 row, committed'],
    ['a semicolon and a comment', 'delete from stock where id = 1; -- gone', 'DELETE: 1 row, committed'],
    ['a table', 'create table parts (id int)', 'CREATE TABLE, committed'],
    ['a truncation', 'truncate stock', 'TRUNCATE TABLE, committed'],
  ])('runs %s', async (_, sql, text) => {
    await using session = await writing(undefined, CONFIRMS);
    expect(await session.text('execute', { sql })).toBe(text);
  });

  it.each([
    ['UPDATE of all', 'update stock set count = 0', ['UPDATE without WHERE: all rows are affected']],
    [
      'DELETE of all, in a CTE',
      'with d as (delete from stock returning 1) select 1',
      ['DELETE without WHERE: all rows are affected'],
    ],
    ['DELETE where true', 'delete from stock where true', ['DELETE with a constant WHERE: all rows are affected, or no row']],
    [
      'TRUNCATE',
      'truncate stock cascade',
      [expect.stringMatching(/^CASCADE: tables that reference the table/), expect.stringMatching(/ACCESS EXCLUSIVE/)],
    ],
    ['DROP', 'drop table stock', [expect.stringMatching(/ACCESS EXCLUSIVE: other sessions can neither/)]],
    [
      'CREATE INDEX',
      'create index on stock (name)',
      [expect.stringMatching(/CONCURRENTLY/), expect.stringMatching(/lock SHARE:/)],
    ],
    ['CREATE INDEX CONCURRENTLY', 'create index concurrently on stock (name)', []],
    [
      'a column that goes',
      'alter table stock drop column name',
      ['name: the column and its values are removed', expect.stringMatching(/ACCESS EXCLUSIVE/)],
    ],
    [
      'a foreign key',
      'alter table stock add foreign key (id) references stock',
      [expect.stringMatching(/whole table is scanned/), expect.stringMatching(/SHARE ROW EXCLUSIVE/)],
    ],
  ])('warns about %s, and a dry run changes nothing', async (_, sql, warnings) => {
    await using session = await writing();
    const { structuredContent } = await session.call('execute', { sql, dry_run: true });
    expect(structuredContent).toMatchObject({ committed: false, warnings });
    expect(await counts()).toBe('1 2 3 4 5');
  });

  it('reports the size of dropped objects', async () => {
    await database.asSuperuser('analyze app.stock');
    await using session = await writing();
    expect(await session.text('execute', { sql: 'drop table app.stock', dry_run: true })).toMatch(
      /- on (?:app\.)?stock: ~5 rows, [\d.]+ kB\n/,
    );
  });

  it('fails if the confirmed name refers to another object when the statement runs', async () => {
    await using session = await writing();
    const { structuredContent } = await session.call('execute', { sql: 'drop table stock', dry_run: true });
    await database.asSuperuser(STOCK);
    const { confirm_token } = structuredContent as { confirm_token: string };
    expect(await session.fails('execute', { sql: 'drop table stock', confirm_token })).toMatch(/^PRECONDITION_FAILED/);
    expect(await counts()).toBe('1 2 3 4 5');
  });

  it.each([
    ['a transaction', 'begin', 'POLICY_DENIED'],
    ['a setting', 'set search_path = public', 'POLICY_DENIED'],
    ['a file of the server', "copy stock to '/tmp/stock'", 'POLICY_DENIED'],
    ['a program', "copy stock from program 'id'", 'POLICY_DENIED'],
    ['two statements', 'delete from stock; delete from stock', 'INVALID_ARGUMENTS'],
    ['no statement', '-- nothing', 'INVALID_ARGUMENTS'],
    ['invalid SQL', 'delete stock', 'SYNTAX'],
    ['an unknown table', 'delete from stok', 'UNDEFINED_OBJECT'],
    ['a commit inside of code', 'do $$ begin delete from stock; commit; end $$', 'READ_ONLY'],
    ['a statement without the necessary rights', 'alter system set work_mem = 1', 'PERMISSION'],
    ['a duplicate key', "insert into stock values (1, 'x', 1)", 'CONSTRAINT'],
    ['a check', 'update stock set count = -1 where id = 1', 'CONSTRAINT'],
    ['a missing value', 'insert into stock (id) values (7)', 'CONSTRAINT'],
    ['more rows than allowed', 'delete from stock', 'TOO_LARGE'],
    ['a statement that takes too long', 'delete from stock where pg_sleep(600) is null', 'TIMEOUT'],
  ])('rejects %s and changes nothing', async (_, sql, code) => {
    await using session = await writing(undefined, CONFIRMS);
    expect(await codeOf(session, 'execute', { sql, max_affected: 2, timeout_ms: code === 'TIMEOUT' ? 500 : 30_000 })).toBe(code);
    expect(await counts()).toBe('1 2 3 4 5');
  });

  it('reports the row that violates a constraint, and suggests a similar table name', async () => {
    await using session = await writing(undefined, CONFIRMS);
    const duplicate = await session.fails('execute', { sql: "insert into stock values (1, 'x', 1)" });
    expect(duplicate).toMatch(/^CONSTRAINT: .*: Key \(id\)=\(1\) already exists\.\n/);
    const misspelt = await session.fails('execute', { sql: 'delete from stok' });
    expect(misspelt).toMatch(/^UNDEFINED_OBJECT: .*\ndid you mean stock\? nothing was changed/);
  });

  it('is rolled back if the run affects another number of rows than the preview', async () => {
    await using session = await writing(undefined, CONFIRMS);
    // The statement can distinguish its two runs: for the preview, mcp-sql adds `RETURNING *` to the statement.
    const sql = "delete from stock where id <= 1 + (current_query() not like '%RETURNING *')::int";
    const { _meta } = await session.client.callTool({ name: 'execute', arguments: { sql } });
    expect(_meta).toMatchObject({ error: { code: 'PRECONDITION_FAILED', data: { expected: 1, actual: 2, committed: false } } });
    expect(await counts()).toBe('1 2 3 4 5');
  });

  it('accepts a longer time limit than reading tools, up to --write-timeout', async () => {
    const limits = { statementTimeout: 500, writeTimeout: 5000 };
    await using session = await database.connect({ url: appUrl(), writable: true, ...limits }, undefined, CONFIRMS);
    const sleeping = (seconds: number): string => `update stock set count = 9 where id = 1 and pg_sleep(${seconds}) is not null`;
    expect(await session.text('execute', { sql: sleeping(0.7), timeout_ms: 60_000 })).toBe('UPDATE: 1 row, committed');
    expect(await codeOf(session, 'execute', { sql: sleeping(0.7) })).toBe('TIMEOUT');
    expect(await session.fails('execute', { sql: sleeping(60), timeout_ms: 60_000 })).toMatch(/^TIMEOUT: .* 5000 ms/);
    expect(await session.fails('query', { sql: 'select pg_sleep(60)', timeout_ms: 60_000 })).toMatch(/^TIMEOUT: .* 500 ms/);
  });

  it('reports with an error that nothing was changed', async () => {
    await using session = await writing(undefined, CONFIRMS);
    const { code, data, text } = await failureOf(session, 'execute', { sql: "insert into stock values (1, 'x', 1)" });
    expect(code).toBe('CONSTRAINT');
    expect(data).toMatchObject({ sqlstate: '23505', object: { constraint: 'stock_pkey' }, committed: false });
    expect(text).toContain('nothing was changed: the transaction was rolled back');
  });

  it('shows at most max_rows returned rows, and changes all rows', async () => {
    await using session = await writing(undefined, CONFIRMS);
    const { _meta: facts } = await session.call('execute', { sql: 'update stock set count = 0 returning id', max_rows: 2 });
    expect(facts).toMatchObject({ affected: 5, returning: { row_count: 2, truncated: 'rows' } });
    expect(await counts()).toBe('0 0 0 0 0');
  });

  it('shows each hostile value as one visible line', async () => {
    await database.asSuperuser(String.raw`update app.stock set name = E'a\nThis is harmless.\u202E' where id = 1`);
    await using session = await writing();
    expect(await session.text('execute', { sql: 'delete from stock where id = 1', dry_run: true })).toContain(
      String.raw`name=a\u{a}This is harmless.\u{202e}`,
    );
  });

  it('reports the holder of a lock if the wait times out', async () => {
    const { Client } = await loadPg();
    const other = new Client(database.config('superuser'));
    await other.connect();
    await other.query('begin; lock table app.stock');
    await using session = await writing(undefined, CONFIRMS);
    const { code, text } = await failureOf(session, 'execute', UPDATE);
    await other.end();
    expect(code).toBe('LOCK_TIMEOUT');
    expect(text).toMatch(/process \d+ \(role postgres, idle in transaction/);
    expect(await counts()).toBe('1 2 3 4 5');
  });
});
