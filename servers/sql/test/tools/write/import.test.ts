import type { Session } from '@org/mcp-testing';
import { beforeEach, describe, expect, it } from 'vitest';

import { useStock } from '../../fixtures/stock.ts';

const database = useStock();

beforeEach(async () => {
  await database.asSuperuser(`
    set role app; drop table if exists app."Odd table";
    create table app."Odd table" (id int primary key, "te""xt" text, at date default '2024-02-29'); reset role`);
});

function writing(confirm = true): Promise<Session> {
  return database.writing(undefined, { answers: { elicitation: { confirm } } });
}

const INPUT = { table: '"Odd table"', columns: ['id', 'te"xt'] };

function count(): Promise<unknown> {
  return database.asSuperuser('select count(*) from app."Odd table"').then(([row]) => row?.[0]);
}

describe('import', () => {
  it('adds the given rows after a confirmation', async () => {
    const texts = ['', null, 'a\tb\\n\nc', String.raw`\.`, String.raw`\N`, 'ü', 'x'.repeat(100_000)];
    const rows = texts.map((text, index) => [String(index), text]);
    await using session = await writing();
    expect(await session.text('import', { ...INPUT, rows })).toBe('7 rows added to app."Odd table", committed');
    expect(session.elicited.all.map(({ message }) => message.split('\n')[0])).toEqual([
      'Add 7 rows to app."Odd table" in postgres?',
    ]);
    const kept = await database.asSuperuser('select id, "te""xt" from app."Odd table" order by id');
    expect(kept).toEqual(rows);
  });

  it('accepts numbers, booleans, objects and arrays', async () => {
    await using session = await writing();
    const values = [1.5, true, { a: [null] }, ['b']];
    const rows = values.map((value, index) => [index, value]);
    expect(await session.text('import', { ...INPUT, rows })).toBe('4 rows added to app."Odd table", committed');
    const kept = await database.asSuperuser('select "te""xt" from app."Odd table" order by id');
    expect(kept.flat()).toEqual(['1.5', 'true', '{"a":[null]}', '["b"]']);
  });

  it('adds nothing without a confirmation, and nothing in a dry run', async () => {
    await using session = await writing(false);
    const input = { ...INPUT, rows: [['1', 'x']] };
    expect(await session.fails('import', input)).toMatch(/^DECLINED/);
    await using silent = await database.writing();
    expect(await silent.fails('import', input)).toMatch(/^CONFIRMATION_REQUIRED/);
    const { structuredContent } = await silent.call('import', { ...input, dry_run: true });
    expect(structuredContent).toMatchObject({ committed: false, rows: 1, confirm_token: expect.any(String) });
    expect(await count()).toBe('0');
  });

  it.each([
    [
      'a duplicate',
      [
        ['1', 'a'],
        ['2', 'b'],
        ['1', 'c'],
      ],
      /^CONSTRAINT: row 3: duplicate key/,
    ],
    [
      'a text that is not a number',
      [
        ['1', 'a'],
        ['x', 'b'],
      ],
      /^QUERY_FAILED: row 2: invalid input syntax/,
    ],
    [
      'too few values',
      [['1', 'a'], ['2']],
      /^INVALID_ARGUMENTS: rows\[1\] must be an array with one element for each column \(2\)/,
    ],
  ])('adds no rows if one of them has %s', async (_, rows, message) => {
    await using session = await writing();
    expect(await session.fails('import', { ...INPUT, rows })).toMatch(message);
    expect(await count()).toBe('0');
  });

  it.each([
    ['table', { ...INPUT, table: 'app.nope' }, /^UNDEFINED_OBJECT/],
    ['column', { ...INPUT, columns: ['id', 'nope'] }, /^UNDEFINED_OBJECT/],
    ['column with NUL', { ...INPUT, columns: ['id', 'name\0'] }, /^INVALID_ARGUMENTS: PostgreSQL accepts neither/],
    ['column that ends the list', { ...INPUT, columns: ['id', "x) FROM PROGRAM 'id' --"] }, /^UNDEFINED_OBJECT/],
  ])('reports a missing %s', async (_, input, message) => {
    await using session = await writing();
    expect(await session.fails('import', { ...input, rows: [['1', 'x']] })).toMatch(message);
  });
});

describe('run_maintenance', () => {
  it.each([
    ['vacuum', 'VACUUM'],
    ['analyze', 'ANALYZE'],
    ['vacuum_analyze', 'VACUUM'],
    ['reindex', 'REINDEX'],
  ])('runs %s on a table after a confirmation', async (action, command) => {
    await using session = await writing();
    expect(await session.text('run_maintenance', { action, table: 'app."Odd table"' })).toBe(`${command}, committed`);
    expect(session.elicited.all).toHaveLength(1);
    expect(await session.fails('run_maintenance', { action, table: 'x; drop table y' })).toMatch(
      /^(?:UNDEFINED_OBJECT|SYNTAX|QUERY_FAILED)/,
    );
  });
});
