import { ToolError } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { findExpanders, requireBoundedLiterals } from '../../../src/postgres/policy/sizes/literal-expansion.ts';
import { LiteralSizes } from '../../../src/postgres/policy/sizes/literal-sizes.ts';
import { requireBoundedNumbers } from '../../../src/postgres/policy/numbers/numeric-cost.ts';
import { parseSql } from '../../../src/postgres/policy/parse/parser.ts';
import { requireBoundedPlan } from '../../../src/postgres/policy/sizes/planned-size.ts';
import { analyzeStatements } from '../../../src/postgres/policy/policy.ts';
import { collectNodes, type Statement } from '../../../src/postgres/policy/parse/syntax-tree.ts';
import { lintStatement } from '../../../src/postgres/tools/write/effects/lint.ts';
import { findNamedObjects } from '../../../src/postgres/tools/write/effects/named-objects.ts';

/** A level of nesting: its title, and the SQL before and after the next level. */
type Level = readonly [name: string, before: string, after: string];

const LEVELS: readonly Level[] = [
  ...[
    ['repeat', ', 1'],
    ['lpad', ', 1'],
    ['rpad', ', 1'],
    ['array_fill', ', array[1]'],
    ['format', ''],
    ['replace', ", 'a', 'b'"],
    ['array_to_string', ", ''"],
    ['array_replace', ', 1, 1'],
    ['quote_literal', ''],
    ['regexp_replace', ", 'a', 'b'"],
    ['power', ', 1'],
    ['factorial', ''],
    ['upper', ''],
    ['"numeric"', ''],
    ['jsonb_populate_record', ", '(1)'"],
    ['coalesce', ', 1'],
  ].map(([name, rest]): Level => [`the function ${name}`, `${name}(`, `${rest})`]),
  ['the count of a function', "repeat('a', ", ')'],
  ['the format of a function', "format('%s', ", ')'],
  ['an exponent', '1 ^ (', ')'],
  ['a base', '(', ') ^ 1'],
  ['an exponent of a function', 'power(1, ', ')'],
  ['a shift', '1 << (', ')'],
  ['a product', '1 * (', ')'],
  ['a concatenation', "'a' || (", ')'],
  ['a cast', '(', ')::int'],
  ['a cast to a number', '(', ')::numeric'],
  ['CASE', 'case when true then ', ' end'],
  ['an array', 'array[', ']'],
  ['a row', 'row(', ')'],
  ['a field', '(', ').x'],
  ['an element', '(', ')[1]'],
  ['a subquery', '(select ', ')'],
  ['a subquery in FROM', '(select x from (select ', ' as x) q)'],
  ['a star', '(select * from (select ', ' as x) q)'],
  ['a WITH query', '(with q as (select ', ' as x) select x from q)'],
  ['IN', '1 in (select ', ')'],
  ['a document', 'json_array(', ')'],
  ['a value of a document', "json_value('{}', '$.a' default ", ' on empty)'],
  ['BETWEEN', '1 between 0 and (', ')'],
  ['NOT', 'not ', ''],
];

/** Names of levels that are combined with every level. A level is also combined with itself. */
const OTHERS: ReadonlySet<string> = new Set(['the function repeat', 'an exponent', 'a cast to a number', 'a subquery']);

/** Each item has a title, and a function that returns a statement with a given number of chained or nested elements. */
const CHAINS: readonly (readonly [name: string, statement: (length: number) => string])[] = [
  ['powers', (length) => `select 1${'^1'.repeat(length)}`],
  ['joins', (length) => `select 1 from t${' join (select 1 as x) q on true'.repeat(length)}`],
  ['joins in joins', (length) => `select 1 from ${'('.repeat(length)}t${' join u on true) j(a, b)'.repeat(length)}`],
  ['subqueries in FROM', (length) => `select 1 from ${Array.from({ length }, (_, n) => `(select 1 as x) q${n}`).join(', ')}`],
  ['WITH queries', (length) => `with ${Array.from({ length }, (_, n) => `q${n} as (select 1 as x)`).join(', ')} select 1`],
  ['unions', (length) => `select 1${' union all select 1'.repeat(length)}`],
  [
    'deletes in WHERE',
    (length) => `${'delete from t where x in (with q as ('.repeat(length)}delete from t${') select 1)'.repeat(length)}`,
  ],
  [
    'inserts in VALUES',
    (length) => `${'insert into t values ((with q as ('.repeat(length)}delete from t${') select 1))'.repeat(length)}`,
  ],
];

/** Counts how often the analysis of a statement reads the syntax tree. */
async function countReads(sql: string): Promise<number> {
  const statements = await parseSql(sql);
  let reads = 0;
  const counted = statements.map((statement) =>
    countedCopy(statement, () => {
      reads += 1;
    }),
  );
  for (const statement of counted) for (const analysis of ANALYSES) runAnalysis(analysis, statement);
  return reads;
}

const ANALYSES: readonly ((statement: Statement) => unknown)[] = [
  (statement) => analyzeStatements([statement]),
  (statement) => requireBoundedLiterals(findExpanders(collectNodes(statement)), new LiteralSizes(statement, [])),
  (statement) => requireBoundedPlan(statement, new LiteralSizes(statement, [])),
  (statement) => requireBoundedNumbers(statement, new LiteralSizes(statement, []), []),
  lintStatement,
  findNamedObjects,
];

function runAnalysis(analysis: (statement: Statement) => unknown, statement: Statement): void {
  try {
    analysis(statement);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
}

function countedCopy(statement: Statement, read: () => void): Statement {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.fromEntries(Object.entries(value).map(([key, field]) => [key, copy(field)]));
    const get = (target: object, key: string | symbol, receiver: unknown): unknown => {
      read();
      return Reflect.get(target, key, receiver);
    };
    const ownKeys = (target: object): readonly (string | symbol)[] => {
      read();
      return Reflect.ownKeys(target);
    };
    return new Proxy(fields, { get, ownKeys: (target) => [...ownKeys(target)] });
  };
  return { ...statement, fields: copy(statement.fields) as Statement['fields'] };
}

const nested = (outer: Level, inner: Level, depth: number): string =>
  `select ${`${outer[1]}${inner[1]}`.repeat(depth)}1${`${inner[2]}${outer[2]}`.repeat(depth)}`;

describe('the analysis of a statement takes linear time with', () => {
  it.each(LEVELS)('%s at each level', async (...level) => {
    for (const other of LEVELS.filter(([name]) => OTHERS.has(name) || name === level[0])) {
      const [short, long] = [await countReads(nested(level, other, 15)), await countReads(nested(level, other, 30))];
      expect(long / short, other[0]).toBeLessThan(2.2);
    }
  });

  it.each(CHAINS)('a chain of %s', async (_, statement) => {
    const [short, long] = [await countReads(statement(40)), await countReads(statement(80))];
    expect(long / short).toBeLessThan(2.2);
  });
});
