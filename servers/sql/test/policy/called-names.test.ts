import { describe, expect, it } from 'vitest';

import { calledIn } from '../../src/policy/called-names.ts';
import { parseSql } from '../../src/policy/parser.ts';
import { nodesOf } from '../../src/policy/syntax-tree.ts';

async function operatorsIn(sql: string): Promise<readonly string[]> {
  const calls = calledIn((await parseSql(sql)).flatMap((statement) => nodesOf(statement))).filter(
    ({ kind }) => kind === 'operator',
  );
  return [...new Set(calls.map(({ name }) => name))];
}

describe('an operator', () => {
  it.each([
    ['select a between b and c from t', '>='],
    ['select a not between symmetric b and c from t', '<'],
    ['select case a when b then 1 end from t', '='],
    ['select a in (select b from u) from t', '='],
    ['select a <> all (select b from u) from t', '<>'],
    ['select 1 from t join u using (a)', '='],
    ['select 1 from t natural join u', '='],
    ['select nullif(a, b) from t', '='],
    ['select a is distinct from b from t', '='],
    ['select a from t order by a using >', '>'],
    ['select operator(pg_catalog.-) a from t', '-'],
  ])('is called by %s', async (sql, name) => {
    expect(await operatorsIn(sql)).toContain(name);
  });

  it.each(['select case when a then 1 end from t', 'select 1 from t join u on a', 'select exists (select a from t)'])(
    'is not called by %s',
    async (sql) => {
      expect(await operatorsIn(sql)).toEqual([]);
    },
  );
});
