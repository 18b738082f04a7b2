import { ToolError } from '@org/mcp-decorators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { urlSource } from '../../../../src/postgres/database/connect/url-source.ts';
import { PostgresDatabase } from '../../../../src/index.ts';
import { optionsWith, useDatabase } from '../../../fixtures/postgres.ts';

const postgres = useDatabase({
  sql: `
    create function bang(int) returns boolean language plpgsql volatile as 'begin raise exception $$it was run$$; end';
    create domain dom as int check (bang(value));
    create domain harmless as int check (value > 0);
    create type comp as (a dom, b text);
    create domain compdom as comp check ((value).b is not null);
    create type nest as (c comp);
    create type list as (c dom[]);
    create type spans as range (subtype = dom);
    create type good as (a harmless);
    create table tab (a dom, b text);
    create table arrs (arr dom[], b text);
    create table ranges (r spans, b text);
    create table base (a int, b text);
    create function bangrow(base) returns boolean language plpgsql volatile as 'begin raise exception $$it was run$$; end';
    create domain dt as base check (bangrow(value));
    create type pair as (a int);
    create table pairs (c pair, d int);
    create function bangpair(pair) returns text language plpgsql volatile as 'begin raise exception $$it was run$$; end';
    create cast (pair as text) with function bangpair(pair) as implicit;
    create table others (a harmless, b text);
    create view shown as select null::comp as c, '(1,2)' as d;
    create function given() returns comp language sql immutable as 'select null::comp';
    grant select on all tables in schema public to mcp_ro;`,
});
let database: PostgresDatabase;

beforeAll(() => {
  database = new PostgresDatabase('rows', urlSource({ url: postgres.url() }), optionsWith({}));
});
afterAll(() => database[Symbol.asyncDispose]());

async function ruleThatDenies(sql: string, params: readonly string[] = []): Promise<unknown> {
  try {
    await database.policy.admit({ sql, params, signal: new AbortController().signal });
    return undefined;
  } catch (error) {
    return ToolError.is(error) ? (error.data?.['rule'] ?? error.code) : error;
  }
}

describe('a domain whose check calls a volatile user-defined function', () => {
  it.each([
    ['by its name', 'select 1::dom'],
    ['in an array', "select '{1}'::dom[]"],
    ['in a row that is cast', "select '(1,x)'::comp"],
    ['in a row that is made', "select row(1, 'x')::comp"],
    ['in a row of a table', "select '(1,x)'::tab"],
    ['in an array of rows', `select '{"(1,x)"}'::comp[]`],
    ['in a domain of rows', "select '(1,x)'::compdom"],
    ['in a range', "select '[1,2]'::spans"],
    ['in a document, with a row that is named', `select jsonb_populate_record(null::comp, '{"a":1}')`],
    ['in a document, with a row in a row', `select jsonb_populate_record(null::nest, '{"c":{"a":1}}')`],
    ['in a document, with an array in a row', `select * from json_populate_recordset(null::list, '[{"c":[1]}]')`],
    ['in a document, with a row of a table', `select jsonb_populate_record(t, '{"a":1}') from tab t`],
    ['by its name in place of a function', "select dom('1')"],
    ['by its input function', "select domain_in('1', 'dom'::regtype, -1)"],
    ['by the input function of arrays', "select array_in('{1}', 'dom'::regtype, -1)"],
    ['by the input function of rows', "select record_in('(1,x)', 'comp'::regtype, -1)"],
    ['by a function that tries a text', "select pg_input_is_valid('1', 'dom')"],
    ['by a function that explains a text', "select * from pg_input_error_info('1', 'dom')"],
    ['in a text beside a row of a table', "select coalesce(t, '(1,x)') from (select 1) x left join tab t on true"],
    ['in a text beside a column of a view', "select coalesce(c, '(1,x)') from shown"],
    ['in a text beside the result of a function', "select coalesce(given(), '(1,x)')"],
    ['in a text beside an array', "select coalesce(arr, '{5}') from arrs"],
    ['in a text that is added to an array', "select array_append(arr, '5') from arrs"],
    ['in a text that is added to an array that is made', "select array_append(array_agg(a), '5') from tab"],
    ['in a text in a union', "select arr from arrs union all select '{5}'"],
    ['in a text beside a range', "select coalesce(r, '[1,2]') from ranges"],
    ['in a text that a range contains', "select r @> '5' from ranges"],
    ['in a parameter beside an array', 'select array_append(arr, $1) from arrs', ['5']],
    ['in a document that is only checked', `select jsonb_populate_record_valid(t, '{"a":1}') from tab t`],
    ['in attribute notation', 'select t.dt from base t'],
    ['in attribute notation with parentheses', 'select (t).dt from base t'],
    ['in a parameter beside a row of a table', 'select coalesce(t, $1) from (select 1) x left join tab t on true', ['(1,x)']],
  ])('is not checked %s', async (_, sql, params: readonly string[] = []) => {
    // For a range, the policy may first reject a function of the range type, by the rule `untrusted-language`.
    expect(['volatile-function', 'untrusted-language']).toContain(await ruleThatDenies(sql, params));
  });

  it.each([
    ['a function', 'select upper(c) from pairs'],
    ['an operator', 'select d || c from pairs'],
    ['a union', 'select c from pairs union select d::text from pairs'],
  ])('is not run by %s that needs an implicit cast', async (_, sql) => {
    expect(await ruleThatDenies(sql)).toBe('volatile-function');
  });

  it.each([
    ['a table with a cast that is not used', 'select c, d from pairs order by d limit 5'],
    ['an array of it', 'select arr, b from arrs'],
    ['a table that has it', "select a, b, upper(b) from tab where b like 'x%'"],
    ['a table that has it, with a parameter', 'select t from tab t where b = $1', ['x']],
    ['a row without it', `select jsonb_populate_record(null::good, '{"a":1}')`],
    ['a table without it', "select coalesce(o, '(1,x)') from others o"],
    ['texts with parentheses alone', "select 'f(x)', '(1,2)'::point"],
  ])('lets %s be read', async (_, sql, params: readonly string[] = []) => {
    expect(await ruleThatDenies(sql, params)).toBeUndefined();
  });
});
