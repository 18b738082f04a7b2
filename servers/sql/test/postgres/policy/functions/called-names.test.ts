import { describe, expect, it } from 'vitest';

import { collectCalls, type CalledName } from '../../../../src/postgres/policy/functions/called-names.ts';
import { parseSql } from '../../../../src/postgres/policy/parse/parser.ts';
import { collectNodes } from '../../../../src/postgres/policy/parse/syntax-tree.ts';

const operatorsIn = (sql: string): Promise<readonly string[]> => namesIn('operator', sql);

async function namesIn(wanted: CalledName['kind'], sql: string): Promise<readonly string[]> {
  const calls = collectCalls((await parseSql(sql)).flatMap((statement) => collectNodes(statement))).filter(
    ({ kind }) => kind === wanted,
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

describe('syntax of newer servers', () => {
  it.each([
    ["json_value('{}', '$.a')", 'json_value'],
    ["json_query('{}', '$.a')", 'json_query'],
    ["json_exists('{}', '$.a')", 'json_exists'],
    ["json('{}')", 'json'],
    ['json_scalar(1)', 'json_scalar'],
    ["json_serialize('{}')", 'json_serialize'],
    ['json_array(1, 2)', 'json_array'],
    ['json_array(select 1)', 'json_array'],
    ["json_object('a': 1)", 'json_object'],
    ['json_arrayagg(a)', 'json_arrayagg'],
    ['json_objectagg(a: b)', 'json_objectagg'],
    ['merge_action()', 'merge_action'],
  ])('counts as a function call, like on older servers: %s', async (call, name) => {
    expect(await namesIn('function', `select ${call} from t`)).toContain(name);
  });
});

describe('a name with letters outside ASCII', () => {
  it('is listed as written and folded', async () => {
    expect(await namesIn('function', 'select "Ä"()')).toEqual(['Ä', 'ä']);
    expect(await namesIn('type', `select '1'::"Ärger"`)).toEqual(['Ärger', 'ärger']);
  });
});
