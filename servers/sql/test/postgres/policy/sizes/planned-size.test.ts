import { ToolError } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { LiteralSizes } from '../../../../src/postgres/policy/sizes/literal-sizes.ts';
import { parseSql } from '../../../../src/postgres/policy/parse/parser.ts';
import { requireBoundedPlan } from '../../../../src/postgres/policy/sizes/planned-size.ts';

async function ruleFor(sql: string): Promise<unknown> {
  const [statement] = await parseSql(sql);
  try {
    requireBoundedPlan(statement!, new LiteralSizes(statement!, []));
    return undefined;
  } catch (error) {
    return ToolError.is(error) ? error.data?.['rule'] : error;
  }
}

const LEVELS = Array.from({ length: 24 }, (_, level) => level);

/** Nests a statement in itself several levels deep. */
function nested(around: (inner: string) => string, innermost: string): string {
  return LEVELS.reduce(around, innermost);
}

describe('a statement', () => {
  it('is not planned if it has more levels than the stack allows', async () => {
    expect(await ruleFor(Array.from({ length: 8000 }, () => 'select 1').join(' union '))).toBe('statement-size');
  });
});

describe('a column that doubles at each level', () => {
  it.each([
    ['of subqueries', nested((inner) => `select x + x as x from (${inner}) q`, 'select id as x from t')],
    ['of texts', nested((inner) => `select x || x as x from (${inner}) q`, "select 'a' as x")],
    [
      'without a name',
      nested((inner) => `select upper || upper from (select upper(y) from (${inner}) q(y)) q(upper)`, "select 'a'"),
    ],
    ['of two columns', nested((inner) => `select a || b as a, b || a as b from (${inner}) q`, "select 'a' as a, 'b' as b")],
    [
      'under DISTINCT',
      `${nested((inner) => `select distinct x + x as x from (${inner}) q`, 'select id as x from t')} order by 1`,
    ],
    ['in joins', nested((inner) => `select q.x + q.x as x from (${inner}) q join u on true`, 'select id as x from t')],
    ['in a union', nested((inner) => `select x + x as x from (${inner} union all select 1) q`, 'select id as x from t')],
    ['of values', nested((inner) => `select column1 || column1 as column1 from (${inner}) q`, "values ('a')")],
    ['behind a star', nested((inner) => `select x + x as x from (select * from (${inner}) q) q`, 'select id as x from t')],
    ['in an expression', `select (${nested((inner) => `select x + x as x from (${inner}) q`, 'select id as x from t')})`],
    ['under EXPLAIN', `explain ${nested((inner) => `select x + x as x from (${inner}) q`, 'select id as x from t')}`],
    [
      'of CTEs',
      `with c0 as (select id as x from t), ${LEVELS.map((n) => `c${n + 1} as (select x + x as x from c${n})`).join(', ')} select x from c24`,
    ],
    [
      'of CTEs with a list of columns',
      `with c0(x) as (select id from t), ${LEVELS.map((n) => `c${n + 1}(x) as (select x + x from c${n})`).join(', ')} select x from c24`,
    ],
    [
      'of LATERAL subqueries',
      `select x24 from (select id as x0 from t) q, ${LEVELS.map((n) => `lateral (select x${n} + x${n} as x${n + 1}) l${n}`).join(', ')}`,
    ],
    [
      'of LATERAL joins',
      `select x24 from (select id as x0 from t) q ${LEVELS.map((n) => `cross join lateral (select x${n} + x${n} as x${n + 1}) l${n}`).join(' ')}`,
    ],
    [
      'with a long definition',
      `select ${Array.from({ length: 30 }, () => 'a').join('||')} from (select repeat('x', 10000000) as a) q`,
    ],
    ['as a row', `select ${LEVELS.map(() => '(q).a').join('||')} from (select repeat('x', 10000000) as a) q`],
    [
      'behind the columns of a table',
      `select ${LEVELS.map(() => 'z').join('||')} from (select t.*, repeat('x', 10000000) as a from t) q(a, z)`,
    ],
    ['of padded constants', `select ${LEVELS.map(() => "'x'::char(5000000)").join(' || ')}`],
  ])('is not planned: %s', async (_, sql) => {
    expect(await ruleFor(sql)).toBe('planned-size');
  });

  it.each([
    ['has a LIMIT at each level', nested((inner) => `select x + x as x from (${inner} limit 5) q`, 'select id as x from t')],
    ['is a sum at each level', nested((inner) => `select sum(x) + sum(x) as x from (${inner}) q`, 'select id as x from t')],
    [
      'is a different column each time',
      `select 1 from ${LEVELS.map((n) => `(select a * a * a * a as a from t${n}) q${n}`).join(', ')}`,
    ],
  ])('is planned if it %s', async (_, sql) => {
    expect(await ruleFor(sql)).toBeUndefined();
  });
});
