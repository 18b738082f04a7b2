import { ToolError } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { expandersIn, requireModestLiterals } from '../../src/policy/literal-expansion.ts';
import { LiteralSizes } from '../../src/policy/literal-sizes.ts';
import { requireModestNumbers } from '../../src/policy/numeric-cost.ts';
import { parseSql } from '../../src/policy/parser.ts';
import { requireModestPlan } from '../../src/policy/planned-size.ts';
import { readingOf } from '../../src/policy/reading-of.ts';
import { nodesOf, type Statement } from '../../src/policy/syntax-tree.ts';
import { lint } from '../../src/write/lint.ts';
import { namedIn } from '../../src/write/named.ts';

/** A level of nesting: the SQL before and after the next level. */
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

/** Levels that are combined with each other level. */
const OTHERS: ReadonlySet<string> = new Set(['the function repeat', 'an exponent', 'a cast to a number', 'a subquery']);

/** Operations on a list that get another list with the first one in it. */
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

/** Counts how often the syntax tree of a statement is read while the statement is judged. */
async function readsOf(sql: string): Promise<number> {
  const statements = await parseSql(sql);
  let reads = 0;
  const counted = statements.map((statement) =>
    countedCopy(statement, () => {
      reads += 1;
    }),
  );
  for (const statement of counted) for (const judge of JUDGES) judgedBy(judge, statement);
  return reads;
}

const JUDGES: readonly ((statement: Statement) => unknown)[] = [
  (statement) => readingOf([statement]),
  (statement) => requireModestLiterals(expandersIn(nodesOf(statement)), new LiteralSizes(statement, [])),
  (statement) => requireModestPlan(statement, new LiteralSizes(statement, [])),
  (statement) => requireModestNumbers(statement, new LiteralSizes(statement, []), []),
  lint,
  namedIn,
];

function judgedBy(judge: (statement: Statement) => unknown, statement: Statement): void {
  try {
    judge(statement);
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

describe('a statement takes linear time to judge with', () => {
  it.each(LEVELS)('%s at each level', async (...level) => {
    for (const other of LEVELS.filter(([name]) => OTHERS.has(name) || name === level[0])) {
      const [short, long] = [await readsOf(nested(level, other, 15)), await readsOf(nested(level, other, 30))];
      expect(long / short, other[0]).toBeLessThan(2.2);
    }
  });

  it.each(CHAINS)('a chain of %s', async (_, statement) => {
    const [short, long] = [await readsOf(statement(40)), await readsOf(statement(80))];
    expect(long / short).toBeLessThan(2.2);
  });
});
