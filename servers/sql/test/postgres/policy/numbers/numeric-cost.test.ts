import { ToolError } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { LiteralSizes } from '../../../../src/postgres/policy/sizes/literal-sizes.ts';
import { hasProducts, requireBoundedNumbers } from '../../../../src/postgres/policy/numbers/numeric-cost.ts';
import { parseSql } from '../../../../src/postgres/policy/parse/parser.ts';
import { collectNodes } from '../../../../src/postgres/policy/parse/syntax-tree.ts';
import { ORDINARY } from '../../../fixtures/attacks.ts';

async function ruleThatDenies(sql: string, params: readonly string[] = []): Promise<unknown> {
  const [statement] = await parseSql(sql);
  if (statement === undefined || !hasProducts(collectNodes(statement))) return undefined;
  try {
    requireBoundedNumbers(statement, new LiteralSizes(statement, params), params);
    return undefined;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return error.data?.['rule'] ?? error.code;
  }
}

type Row = readonly [name: string, sql: string, params?: readonly string[]];

const NINES = '9'.repeat(60_000);
const products = (factor: string, count: number): string => Array.from({ length: count }, () => `${factor}*${factor}`).join('-');
const sums = (term: string, count: number): string => Array.from({ length: count }, () => term).join('+');
const replaced = (text: string): string => `select ${products('x', 1500)} from (select (${text})::numeric as x offset 0) q`;
const squares = (levels: number, from: string): string =>
  `${'select x*x as x from ('.repeat(levels)}${from}${') q'.repeat(levels)}`;

describe('the policy rejects numeric operations that PostgreSQL cannot interrupt:', () => {
  it.each(
    (
      [
        ['products of a power', `select ${products('x', 200)} from (select 9.9::numeric^60000 as x offset 0) q`],
        ['products of a long literal', `select ${products('x', 40)} from (select ${NINES}::numeric as x) q`],
        ['products of a literal with an exponent', `select ${products('x', 40)} from (select 1e60000 as x) q`],
        ['products of a text', `select ${products('x', 40)} from (select '${NINES}'::numeric as x) q`],
        ['products of a short text', `select ${products('x', 40)} from (select '1e60000'::numeric as x) q`],
        ['products of a document', `select ${products('x', 40)} from (select ('{"a":1e60000}'::jsonb->>'a')::numeric as x) q`],
        ['products of an array', `select ${products('x[1]', 40)} from (select '{1e60000}'::numeric[] as x) q`],
        ['products of a repeated text', `select ${products('x', 40)} from (select repeat('9', 60000)::numeric as x) q`],
        [
          'products of a text with a computed length',
          `select ${products('x', 40)} from (select repeat('9', ascii('\u{1f980}'))::numeric as x) q`,
        ],
        [
          'products of rows in a text',
          `select ${products('x', 40)} from (select string_agg('9', '')::numeric as x from generate_series(1, 60000)) q`,
        ],
        ['products of bits', `select ${products('x', 40)} from (select (~ 0::bit(60000))::text::numeric as x) q`],
        ['products of a factorial', `select ${products('x', 40)} from (select factorial(15000) as x) q`],
        ['products of a parameter', `select ${products('$1::numeric', 40)}`, [NINES]],
        ['products of a parameter of a subquery', `select ${products('x', 40)} from (select $1::numeric as x) q`, ['1e60000']],
        ['powers of a parameter', `select ${products('x', 40)} from (select 9.9::numeric ^ $1::int as x) q`, ['60000']],
        ['products of a WITH query', `with q(y) as (select 1e60000) select ${products('y', 40)} from q`],
        ['products of a row of VALUES', `select ${products('column1', 40)} from (values (1e60000)) q`],
        ['products of a join', `select ${products('b.x', 40)} from (select 1) a join (select 1e60000 as x) b on true`],
        ['products of a function in FROM', `select ${products('g', 40)} from generate_series(1e60000, 1e60000) g`],
        ['products of a subquery in an expression', `select ${products('(select 1e60000)', 40)}`],
        ['products of squares of squares', `select ${products('x', 40)} from (${squares(14, 'select 123456789.1 as x')}) q`],
        [
          'products of a recursive query',
          `with recursive r(x) as (select 9.9 union all select ${products('x', 40)} from r) select * from r`,
        ],
        [
          'products in a function call',
          `select ${products('x', 20).replaceAll(/x\*x/g, 'numeric_mul(x, x)+numeric_mul(x, x)')} from (select 1e60000 as x) q`,
        ],
        ['quotients', `select ${products('x', 40).replaceAll('*', '/')} from (select 1e60000 as x) q`],
        ['remainders', `select ${products('x', 20).replaceAll('*', '%')} from (select 1e60000 as x) q`],
        ['powers', `select ${Array.from({ length: 6 }, () => '9.9::numeric ^ 60000').join('-')}`],
        [
          'powers of a counter',
          `select ${Array.from({ length: 6 }, () => 'power(9.9, (select count(*) from pg_attribute))').join('-')}`,
        ],
        [
          'products by OPERATOR',
          `select ${products('x', 40).replaceAll('*', ' operator(pg_catalog.*) ')} from (select 1e60000 as x) q`,
        ],
        ['products in WHERE', `select 1 from (select 1e60000 as x) q where ${products('x', 40)} > 0`],
        ['products in VALUES', `with q as (select 1e60000 as x) values ((select ${products('x', 40)} from q))`],
        ['products of a field of a row', `select ${products('(q).x', 1500)} from (select 9.9::numeric^60000 as x offset 0) q`],
        ['products of a field of a named row', `select ${products('(row(q.*)).f1', 40)} from (select 1e60000 as x) q`],
        [
          'products of a column behind the columns of a table',
          `select ${products('z', 1500)} from (select t.*, 9.9::numeric^60000 from pg_am t) q(a,b,c,d,z)`,
        ],
        [
          'products of a column of a join with a table',
          `select ${products('z', 1500)} from (pg_tablespace t join (select 1e60000 as x) q on true) j(a,b,c,d,e,z)`,
        ],
        [
          'products of a column that a join puts first',
          `select ${products('q', 40)} from ((select 1e60000 as y, 1 as x) a join (select 1 as x) b using (x)) j(p, q)`,
        ],
        [
          'products of a column behind the star of one of several subqueries',
          `select ${products('z', 40)} from (select a.*, 1e60000 as big from (select 1 as x) a, (select 1 as y) b) q(x, z)`,
        ],
        [
          'products of an outer column that is hidden',
          `select (select ${products('q.x', 40)} from (select 1 as x) r) from (select 1e60000 as x) q`,
        ],
        [
          'products of a column that a function could hide',
          `select ${products('g.g', 40)} from (select 1 as g) s, generate_series(1e60000, 1e60000) g`,
        ],
        ['products in the LIMIT of a union', `select 1 union select 2 limit (select ${products('1e60000', 40)})`],
        ['products of a replaced text', replaced(`replace(repeat('1', 250), '1', repeat('9', 250))`)],
        [
          'products of a text after a regular expression',
          replaced(`regexp_replace(repeat('1', 250), '1', repeat('9', 250), 'g')`),
        ],
        ['products of a quoted text', replaced(`${'quote_literal('.repeat(16)}x${')'.repeat(16)}`)],
        ['products of a joined text', replaced(`concat_ws(repeat('9', 1000)${', 9'.repeat(60)})`)],
        [
          'products of an array of texts',
          replaced(`concat(variadic array[repeat('9', 1000)${`, repeat('9', 1000)`.repeat(60)}])`),
        ],
        ['hexadecimal texts', `with h as (select '0x'||repeat('F',100000) as x limit 1) select ${sums('x::numeric', 30)} from h`],
        ['hexadecimal literals', `select ${sums('x::numeric', 30)} from (select '0x${'F'.repeat(90_000)}'::text as x) q`],
        [
          'hexadecimal texts in documents',
          `select ${sums(`(select a from jsonb_to_record(x) as (a numeric))`, 30)} from (select jsonb_build_object('a', '0x'||repeat('F',100000)) as x offset 0) q`,
        ],
        ['hexadecimal parameters', `select ${sums('$1::numeric', 30)}`, [`0x${'F'.repeat(100_000)}`]],
        ['variances', `select ${Array.from({ length: 40 }, () => 'variance(x)').join(', ')} from (select 1e60000 as x) q`],
        ['products that are explained', `explain select ${products('1e60000', 40)}`],
      ] satisfies readonly Row[]
    ).map(([name, sql, params = []]: Row) => [name, { sql, params }] as const),
  )('%s', async (_, { sql, params }) => {
    expect(await ruleThatDenies(sql, params)).toBe('numeric-cost');
  });

  it('but not thousands of operators on stored numbers', async () => {
    expect(await ruleThatDenies(`select ${products('price', 2000)} from orders`)).toBeUndefined();
    expect(await ruleThatDenies(`select ${products('x', 2000)} from (select 1e60000 as x) q`)).toBe('numeric-cost');
  });
});

describe('ordinary arithmetic passes:', () => {
  it.each([
    'select sum(price * quantity * (1 - discount) * (1 + tax)) from order_lines',
    'select principal * power(1 + rate / 12, months) / (power(1 + rate / 12, months) - 1) from loans',
    'select 2 ^ 10, 10 ^ 9, 1.05 ^ 30, (1 + 0.05 / 365) ^ (365 * 10)',
    'select 6371 * 2 * asin(sqrt(power(sin(radians(a - b) / 2), 2) + cos(radians(a)) * cos(radians(b)) * power(sin(radians(c - d) / 2), 2))) from p',
    'select exp(sum(ln(factor))) * 100, stddev(x) ^ 2, log(2, n), n % 7 from t group by n',
    'with recursive bom(id, qty) as (select 1, 1.0 union all select c.id, c.qty * bom.qty * c.loss from c join bom on c.parent = bom.id) select sum(qty * price) from bom',
    `select replace(price, ',', '')::numeric * quantity * 1.19 from imported`,
    'select factorial(20) / (factorial(5) * factorial(15)), 3.14159265358979323846264338327950288 * r ^ 2 from circles',
    'select n.n * 1.5 from generate_series(1, 1000000) n(n) where n.n % 3 = 0',
    `select ${Array.from({ length: 5 }, (_, index) => `principal${index} * (1 + rate) ^ years`).join(', ')} from loans`,
    `select ${Array.from({ length: 10 }, (_, index) => `power(1 + rate / 12, 12 * years${index})`).join(', ')} from loans`,
    `select ${Array.from({ length: 50 }, (_, index) => `power(a${index}::float8, b${index}::float8)`).join(', ')} from t`,
    `select ${Array.from({ length: 50 }, (_, index) => `a${index}::float8 ^ b${index} * 2`).join(', ')} from t`,
    `select ${Array.from({ length: 50 }, () => `1.05 ^ n`).join(', ')} from generate_series(1, 30) n`,
    `select ${Array.from({ length: 200 }, (_, index) => `sum(replace(a${index}, ',', '')::numeric)`).join(', ')} from t`,
    "select '1 day'::interval * 3, array_agg(x * 2), jsonb_agg(y / 2) from t",
  ])('%s', async (sql) => {
    expect(await ruleThatDenies(sql)).toBeUndefined();
  });

  it('in hundreds of sums', async () => {
    const sums = Array.from({ length: 200 }, (_, index) => `sum(a${index} * b${index} / nullif(c${index}, 0))`);
    expect(await ruleThatDenies(`select ${sums.join(', ')} from t`)).toBeUndefined();
  });

  it('with double precision of any origin', async () => {
    expect(await ruleThatDenies(`select ${products('x::float8', 1000)} from (select 1e300 as x) q`)).toBeUndefined();
  });

  it('in all ordinary reads', async () => {
    for (const sql of ORDINARY) expect(await ruleThatDenies(sql), sql).toBeUndefined();
  });

  it('with parameters of ordinary length', async () => {
    expect(await ruleThatDenies(`select ${products('$1::numeric', 500)}`, ['123456789.123456789'])).toBeUndefined();
  });
});
