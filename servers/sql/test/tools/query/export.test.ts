import { createHash } from 'node:crypto';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { codeOf, useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({ sample: true });

interface Facts {
  readonly uri: string;
  readonly bytes: number;
  readonly rows: number;
  readonly sha256: string;
}

async function exported(session: Session, args: Readonly<Record<string, unknown>>): Promise<Facts> {
  return (await session.call('export', args)).structuredContent as Facts;
}

async function textOf(session: Session, uri: string): Promise<{ readonly text: string; readonly next: number | undefined }> {
  const [contents] = (await session.client.readResource({ uri })).contents;
  const text = contents !== undefined && 'text' in contents ? contents.text : '';
  return { text, next: contents?._meta?.['next_offset'] as number | undefined };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const VALUES = `select 1 as id, null as nothing, '' as empty, E'a,"b"\\n|c\\\\' as "t,ext" union all select 2, null, 'é', E'\\u0001' order by 1`;
const CSV = 'id,nothing,empty,"t,ext"\n1,,"","a,""b""\n|c\\"\n2,,é,\u0001\n';

describe.each(ERAS)('export, on a %s connection,', (era) => {
  it.each([
    ['csv', 'text/csv', CSV],
    [
      'ndjson',
      'application/x-ndjson',
      '{"columns":["id","nothing","empty","t,ext"]}\n["1",null,"","a,\\"b\\"\\n|c\\\\"]\n["2",null,"é","\\u0001"]\n',
    ],
    [
      'json',
      'application/json',
      '{"columns":["id","nothing","empty","t,ext"],"rows":[\n["1",null,"","a,\\"b\\"\\n|c\\\\"],\n["2",null,"é","\\u0001"]\n]}\n',
    ],
    [
      'markdown',
      'text/markdown',
      '| id | nothing | empty | t,ext |\n| --- | --- | --- | --- |\n| 1 |  | "" | a,"b"<br>\\|c\\\\ |\n| 2 |  | é | \u0001 |\n',
    ],
  ])('writes %s and returns a link', async (format, mimeType, text) => {
    await using session = await database.connect({}, era);
    const { structuredContent, content } = await session.call('export', { sql: VALUES, format });
    const facts = structuredContent as Facts;
    expect(facts).toMatchObject({ rows: 2, bytes: Buffer.byteLength(text), sha256: digest(text) });
    expect(await textOf(session, facts.uri)).toEqual({ text, next: undefined });
    expect(content[1]).toMatchObject({ type: 'resource_link', uri: facts.uri, mimeType, size: facts.bytes });
    const withParams = await exported(session, { sql: `select * from (${VALUES}) v where id < $1`, params: ['3'], format });
    expect(withParams.sha256).toBe(facts.sha256);
    const { _meta: kept } = await session.call('query', { sql: VALUES, keep: true, max_rows: 1 });
    const ofHandle = await exported(session, { handle: (kept as { handle: string }).handle, format });
    expect(ofHandle.sha256).toBe(facts.sha256);
  });
});

describe('export', () => {
  it.each([
    ['no rows', 'select 1 as a where false', 0, 'a\n'],
    ['no columns', 'select from generate_series(1, 2)', 2, '\n\n\n'],
    ['SHOW', 'show server_encoding', 1, 'server_encoding\nUTF8\n'],
    ['EXPLAIN', 'explain (costs off) select 1', 1, 'QUERY PLAN\nResult\n'],
    ['a statement that is not valid in parentheses', 'select 1 as a; -- done', 1, 'a\n1\n'],
    ['a common table expression', 'with a as (select 1 as a) select * from a', 1, 'a\n1\n'],
    ['VALUES', "values (1, 'x')", 1, 'column1,column2\n1,x\n'],
    ['two columns of one name', 'select 1 a, 2 a', 1, 'a,a\n1,2\n'],
    ['a line break in a value', "select E'a\\nb' a", 1, 'a\n"a\nb"\n'],
  ])('accepts %s', async (_, sql, rows, text) => {
    await using session = await database.connect();
    const facts = await exported(session, { sql });
    expect(facts.rows).toBe(rows);
    expect((await textOf(session, facts.uri)).text).toBe(text);
  });

  it.each([
    ['a write', { sql: 'with d as (delete from orders returning 1) select * from d' }, /^(READ_ONLY|POLICY_DENIED)/],
    ['a statement that does not read', { sql: 'drop table orders' }, /^(READ_ONLY|POLICY_DENIED)/],
    ['an end of the parentheses', { sql: "select 1) to '/tmp/x' --" }, /^SYNTAX/],
    ['a second statement', { sql: 'select 1; select 2' }, /^(SYNTAX|POLICY_DENIED)/],
    ['COPY to a program', { sql: "copy (select 1) to program 'id'" }, /^(READ_ONLY|POLICY_DENIED)/],
    ['a function that waits', { sql: 'select pg_sleep(60)' }, /^POLICY_DENIED/],
    ['a typo', { sql: 'select 1,\n  ü, from orders' }, /^SYNTAX: .*\(line 2, column 6/],
    ['an unknown table', { sql: 'select * from ordrs' }, /^UNDEFINED_OBJECT: .*\ndid you mean orders/],
    [
      'an error in the middle',
      { sql: 'select 1 / (5000 - g) from generate_series(1, 9000) g' },
      /^QUERY_FAILED: division by zero/,
    ],
    ['neither statement nor handle', {}, /^INVALID_ARGUMENTS/],
    ['both', { sql: 'select 1', handle: 'x' }, /^INVALID_ARGUMENTS/],
    ['a file name that is a path', { sql: 'select 1', filename: '../../x.csv' }, /^INVALID_ARGUMENTS/],
    ['a hidden file name', { sql: 'select 1', filename: '.profile' }, /^INVALID_ARGUMENTS/],
  ])('rejects %s', async (_, args, text) => {
    await using session = await database.connect({ policy: 'strict' });
    expect(await session.fails('export', args)).toMatch(text);
  });

  it('returns a large file in parts, without splitting characters', async () => {
    await using session = await database.connect();
    const { uri, bytes, sha256 } = await exported(session, {
      sql: "select repeat('ä€𝄞', 50) a from generate_series(1, 5000)",
      filename: 'big.csv',
    });
    expect(uri).toMatch(/\/big\.csv$/);
    await expect(session.client.readResource({ uri })).rejects.toThrow('TOO_LARGE');
    let whole = '';
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const { text, next } = await textOf(session, `${uri}?offset=${offset}`);
      expect(text).not.toContain('\uFFFD');
      whole += text;
      offset = next;
    }
    expect([Buffer.byteLength(whole), digest(whole)]).toEqual([bytes, sha256]);
    expect((await textOf(session, `${uri}?offset=${bytes + 5}`)).text).toBe('');
  });

  it('cannot be read by another file name', async () => {
    await using session = await database.connect();
    const { uri } = await exported(session, { sql: 'select 1' });
    await expect(session.client.readResource({ uri: uri.replace('export.csv', 'other.csv') })).rejects.toThrow(
      'the export has no file with this name',
    );
    expect(await codeOf(session, 'fetch_result', { handle: uri.split('/')[2] })).toBe('HANDLE_EXPIRED');
  });

  it('reports its progress in rows and bytes', async () => {
    await using session = await database.connect();
    const call = session.start('export', { sql: "select generate_series(1, 100000), repeat('x', 100)", format: 'ndjson' });
    const { structuredContent } = await call.result;
    const { rows } = structuredContent as Facts;
    const reports = call.progress.all;
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.at(-1)).toMatchObject({
      progress: rows,
      message: expect.stringMatching(/^100000.* rows read, \d+(\.\d+)? MB$/),
    });
  });

  it('ends in the database when it is cancelled', async () => {
    await using session = await database.connect();
    const call = session.start('export', { sql: 'select generate_series(1, 2000000000), random()' });
    await call.progress.next();
    call.cancel();
    await expect(call.result).rejects.toThrow();
    const running =
      "select count(*) from pg_stat_activity where query like '%2000000000%' and state = 'active' and pid <> pg_backend_pid()";
    await expect.poll(async () => (await database.asSuperuser(running))[0]?.[0], { interval: 10 }).toBe('0');
    expect(await session.text('query', { sql: 'select 1' })).toContain('1 row');
  });
});
