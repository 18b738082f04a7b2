import { describe, expect, it } from 'vitest';

import { parseSql, ParserExhausted, SyntaxFailure } from '../../../../src/postgres/policy/parse/parser.ts';
import { collectNodes } from '../../../../src/postgres/policy/parse/syntax-tree.ts';

async function kindsIn(sql: string): Promise<readonly string[]> {
  return (await parseSql(sql)).flatMap((statement) => [...collectNodes(statement)].map(({ kind }) => kind));
}

describe('the parser', () => {
  it('returns the statements of a text and their positions', async () => {
    const statements = await parseSql('select 1; -- é\n drop table t');
    expect(statements.map(({ kind, start, bytes }) => [kind, start, bytes])).toEqual([
      ['SelectStmt', 0, 8],
      ['DropStmt', 17, undefined],
    ]);
    expect(await parseSql(' ; /* none */ ;')).toEqual([]);
  });

  it.each([
    ['an expression', 'select 1 + abs(2)'],
    ['FROM', 'select * from abs(2)'],
    ['ROWS FROM', 'select * from rows from (abs(2), abs(3))'],
    ['VALUES', 'values (1, abs(2))'],
    ['a set operation', 'select 1 union (select 2 except select abs(3))'],
    ['a window', 'select sum(1) over (order by abs(2))'],
    ['a limit', 'select 1 limit abs(2)'],
    ['a sample', 'select * from t tablesample bernoulli (abs(2))'],
    ['a CTE', 'with a as (select abs(1)) select 1'],
    ['JSON', "select json_value('1', '$' default abs(2) on error)"],
    ['XML', 'select xmlelement(name a, xmlattributes(abs(1) as b))'],
    ['EXPLAIN', 'explain select abs(1)'],
    ['a subscript', 'select (array[1])[abs(1)]'],
  ])('finds a call in %s', async (_, sql) => {
    expect(await kindsIn(sql)).toContain('FuncCall');
  });

  it('reports syntax errors with a position in characters', async () => {
    const failed = parseSql("select 'é', frm t where");
    await expect(failed).rejects.toBeInstanceOf(SyntaxFailure);
    await expect(failed).rejects.toMatchObject({ message: 'syntax error at end of input', code: '42601', position: '24' });
  });

  it.each([
    ['parentheses', `select ${'('.repeat(60_000)}`],
    ['subqueries', `select ${'(select '.repeat(8000)}1${')'.repeat(8000)}`],
    ['sums', `select 1${'+1'.repeat(60_000)}`],
    ['casts', `select 1${'::int'.repeat(25_000)}`],
    ['unions', `select 1${' union select 1'.repeat(60_000)}`],
    ['columns that exceed the memory limit', `select 1${',1'.repeat(4_000_000)}`],
  ])('works again after a statement with too many nested %s', { timeout: 120_000 }, async (_, sql) => {
    const exitCode = process.exitCode;
    await expect(parseSql(sql)).rejects.toBeInstanceOf(ParserExhausted);
    expect(await kindsIn('select 1')).toContain('SelectStmt');
    expect(process.exitCode).toBe(exitCode);
  });
});
