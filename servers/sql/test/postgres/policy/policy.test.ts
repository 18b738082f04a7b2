import { ToolError } from '@org/mcp-decorators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { urlSource } from '../../../src/postgres/database/connect/url-source.ts';
import { PostgresDatabase, type PostgresOptions } from '../../../src/index.ts';
import { GROUND, optionsWith, useDatabase } from '../../fixtures/postgres.ts';

const MORE = `
  create extension "uuid-ossp"; create extension pg_stat_statements; create schema acme;
  create function acme.lower(text, text) returns text language sql volatile as 'select $1';
  create function acme.random(text) returns text language sql volatile as 'select $1';
  create function acme.many(int, int default 2, variadic text[] default '{}') returns int language sql volatile as 'select 1';
  create function acme.talk() returns int language plpgsql volatile as 'begin return 1; end';`;

const ground = useDatabase({ sql: GROUND + MORE });
const databases: PostgresDatabase[] = [];

function open(given: Partial<PostgresOptions>): PostgresDatabase {
  const options = optionsWith({ allowPrivilegedRole: true, ...given });
  const database = new PostgresDatabase('ground', urlSource({ url: ground.url('superuser') }), options);
  databases.push(database);
  return database;
}

interface Sent {
  readonly params?: readonly string[];
  readonly before?: string;
  readonly signal?: AbortSignal;
}

async function denial(database: PostgresDatabase, sql: string, sent: Sent = {}): Promise<Record<string, unknown> | undefined> {
  try {
    await database.policy.admit({ sql, signal: new AbortController().signal, ...sent });
    return undefined;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return { code: error.code, ...error.data };
  }
}

let strict: PostgresDatabase;
let standard: PostgresDatabase;
let off: PostgresDatabase;

beforeAll(() => {
  strict = open({});
  standard = open({ policy: 'standard' });
  off = open({ policy: 'off' });
});
afterAll(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]();
});

describe('the strict policy', () => {
  it.each([
    ['select nextval($$s1$$)', 'POLICY_DENIED', 'volatile-function', 'nextval', '--policy off'],
    ['select acme.talk()', 'POLICY_DENIED', 'volatile-function', 'talk', '--policy standard'],
    ['select sd_secret()', 'POLICY_DENIED', 'security-definer', 'sd_secret', '--policy standard'],
    ['select nap(1)', 'POLICY_DENIED', 'untrusted-language', 'nap', '--policy off'],
    ['select query_to_xml($$$$, true, true, $$$$)', 'POLICY_DENIED', 'runs-sql', 'query_to_xml', '--policy off'],
    ['table pg_authid', 'POLICY_DENIED', 'secret-relation', 'pg_authid', '--policy off'],
    ["select repeat('x', 99999999)", 'POLICY_DENIED', 'literal-expansion', 'repeat', '--policy off'],
    ['drop table t', 'READ_ONLY', 'statement', 'DROP', '--writable'],
    ['select * from t for update', 'READ_ONLY', 'clause', 'a locking clause', '--writable'],
    ['select * from t for share', 'READ_ONLY', 'clause', 'a locking clause', '--writable'],
    ["select * from crosstab('select 1, 2, 3') as c(a int, b int)", 'POLICY_DENIED', 'runs-sql', 'crosstab', '--policy off'],
    [
      "select * from connectby('t', 'id', 'id', '1', 0) as c(a int, b int, c int)",
      'POLICY_DENIED',
      'runs-sql',
      'connectby',
      '--policy off',
    ],
    ["select gen_salt('bf', 4)", 'POLICY_DENIED', 'volatile-function', 'gen_salt', '--policy off'],
    ['select 1; select 2', 'POLICY_DENIED', 'one-statement', '2', undefined],
  ])(
    'reports the rule that %s breaks, the offending name, and the option that would allow the statement',
    async (sql, code, ...facts) => {
      const [rule, name, option] = facts;
      expect(await denial(strict, sql)).toEqual({ code, rule, name, ...(option !== undefined && { option }) });
    },
  );

  it.each([
    ['another number of arguments', 'select lower(v) from t'],
    ['another schema', 'select pg_catalog.random()'],
    ['an extension whose volatile functions are harmless', 'select uuid_generate_v4(), gen_random_bytes(8)'],
    ['a view over volatile functions', 'select * from pg_stat_statements limit 1'],
    ['columns named as functions', 'select q.nextval, q.pg_notify from (select 1 as nextval, 2 as pg_notify) q'],
    ['a table named as one of the catalog', 'select * from acme.pg_authid'],
  ])('admits a call with the name of a volatile function but %s', async (_, sql) => {
    // The policy rejects `q.nextval`, because it could be a call of the function `nextval` with the row `q`.
    const refused = sql.includes('q.nextval') ? 'nextval' : undefined;
    expect((await denial(strict, sql))?.['name']).toBe(refused);
  });

  it.each([
    'select acme.lower(v, v) from t',
    "select random('x')",
    'select acme.many(1)',
    "select acme.many(1, 2, 'a', 'b', 'c')",
  ])('rejects the user-defined overload in %s', async (sql) => {
    expect(await denial(strict, sql)).toMatchObject({ rule: 'volatile-function', option: '--policy standard' });
  });

  it.each([
    ["select repeat('x', $1::int)", ['100000000']],
    ["select format($1, 'x')", ['%100000000s']],
    ["select repeat(repeat('x', $1::int), $2::int)", ['30000', '20000']],
  ])('counts the values of parameters in %s', async (sql, params) => {
    expect(await denial(strict, sql, { params })).toMatchObject({ rule: 'literal-expansion' });
    expect(await denial(strict, sql, { params: params.map(() => '10') })).toBeUndefined();
  });

  it('admits EXPLAIN of writes only if EXPLAIN does not run them', async () => {
    for (const sql of ['delete from t', 'update t set v = $$x$$', 'insert into t values (1)']) {
      expect(await denial(strict, sql, { before: 'EXPLAIN (FORMAT JSON) ' }), sql).toBeUndefined();
      expect(await denial(strict, sql, { before: 'EXPLAIN (FORMAT JSON, ANALYZE) ' })).toMatchObject({ rule: 'statement' });
      expect(await denial(strict, `explain (analyze off, analyze) ${sql}`)).toMatchObject({ rule: 'statement' });
    }
    expect(await denial(strict, 'insert into t select nextval($$s1$$)', { before: 'EXPLAIN ' })).toMatchObject({
      rule: 'volatile-function',
    });
    expect(await denial(strict, 'create table z as select 1', { before: 'EXPLAIN ' })).toMatchObject({ rule: 'statement' });
    expect(await denial(strict, 'with d as (delete from t returning 1) select 1', { before: 'EXPLAIN ' })).toMatchObject({
      rule: 'statement',
    });
  });

  it('reports the position of a syntax error without the SQL before the statement', async () => {
    const expected = { code: 'SYNTAX', sqlstate: '42601', position: { line: 2, column: 3, excerpt: 'from t' } };
    expect(await denial(strict, 'select 1 é,\n  from t')).toMatchObject(expected);
    expect(await denial(strict, 'select 1 é,\n  from t', { before: 'EXPLAIN ' })).toMatchObject(expected);
  });

  it('continues to load functions if one of the waiting calls is cancelled', async () => {
    const database = open({ maxConnections: 1 });
    await database.identity();
    const controller = new AbortController();
    const cancelled = denial(database, 'select lower($1)', { signal: controller.signal });
    const other = denial(database, 'select nextval($$s1$$)');
    controller.abort(new Error('enough'));
    await expect(cancelled).rejects.toThrow('enough');
    expect(await other).toMatchObject({ rule: 'volatile-function' });
  });

  it('rejects all calls if the database is unreachable', async () => {
    const database = new PostgresDatabase('gone', urlSource({ url: 'postgres://u:p@127.0.0.1:1/db' }), optionsWith({}));
    databases.push(database);
    expect(await denial(database, 'select 1')).toMatchObject({ code: 'CONNECTION' });
  });
});

describe('the standard policy', () => {
  it.each(['select acme.talk()', 'select sd_secret()', 'select vol_write()', 'select 1 ~~~> 2'])(
    'lets the function of a user pass in %s',
    async (sql) => {
      expect(await denial(standard, sql)).toBeUndefined();
    },
  );

  it.each([
    ['select nextval($$s1$$)', 'volatile-function'],
    ['select dblink_connect($$$$)', 'runs-sql'],
    ['select nap(1)', 'untrusted-language'],
    ['table pg_authid', 'secret-relation'],
    ["select repeat('x', 99999999)", 'literal-expansion'],
    ['delete from t', 'statement'],
  ])('rejects %s like the strict policy', async (sql, rule) => {
    expect(await denial(standard, sql)).toMatchObject({ rule });
  });
});

describe('without a policy', () => {
  it('only the length of a statement is checked', async () => {
    for (const sql of ['drop table t', 'select nextval($$s1$$)', `select 1 ${'+'.repeat(300)} 1`, 'no sql'])
      expect(await denial(off, sql)).toBeUndefined();
    expect(await denial(off, `select '${'é'.repeat(70_000)}'`)).toEqual({
      code: 'TOO_LARGE',
      rule: 'statement-size',
      name: '140009',
      option: '--max-statement-bytes',
    });
  });
});
