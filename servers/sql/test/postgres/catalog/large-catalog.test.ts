import { ERAS } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { useDatabase } from '../../fixtures/postgres.ts';
import { changesOf } from '../../fixtures/query-folder.ts';

const TABLES = Number(process.env['MCP_TEST_TABLES'] ?? 5000);
const COLUMNS = 1600;

/** Tables with ten columns each, and one table with the maximum number of columns. */
const database = useDatabase({
  sql: `
    create schema large;
    do $$ begin
      for t in 1..${TABLES} loop
        execute format('create table large.%I (%s)', 'table ' || t, (select string_agg(format('%I int', 'column ' || t || '.' || c), ', ') from generate_series(1, 10) c));
      end loop;
      execute format('create table large.wide (%s)', (select string_agg(format('c%s bool', c), ', ') from generate_series(1, ${COLUMNS}) c));
    end $$;
    grant usage on schema large to mcp_ro;
    grant select on all tables in schema large to mcp_ro;`,
});

/** Limit in bytes for descriptions that exceed the default of 20,000 bytes. */
const WHOLE = { maxBytes: 1_000_000 } as const;

const TABLE = { type: 'ref/resource', uri: 'pg://{database}/{schema}/{table}' } as const;

describe('a catalog of many tables', () => {
  it('is searched page by page, and each table is found exactly once', async () => {
    await using session = await database.connect();
    const found = new Set<string>();
    let cursor: string | undefined;
    do {
      const { structuredContent } = await session.call('search_objects', {
        schema: 'large',
        kinds: ['table'],
        detail: 'names',
        limit: 400,
        ...(cursor !== undefined && { cursor }),
      });
      const { objects, next_cursor } = structuredContent as { objects: { name: string }[]; next_cursor?: string };
      for (const { name } of objects) found.add(name);
      expect(objects.length).toBeLessThanOrEqual(400);
      cursor = next_cursor;
    } while (cursor !== undefined);
    expect(found.size).toBe(TABLES + 1);
  });

  it('provides completions for names of tables', async () => {
    await using session = await database.connect();
    const ask = (value: string): ReturnType<typeof session.client.complete> =>
      session.client.complete({ ref: TABLE, argument: { name: 'table', value }, context: { arguments: { schema: 'large' } } });
    expect((await ask('table')).completion).toMatchObject({ total: TABLES, hasMore: true });
    expect((await ask(`table ${TABLES}`)).completion).toEqual({ values: [`table ${TABLES}`], total: 1, hasMore: false });
  });

  it.each(ERAS)('notifies of added and dropped tables, and updates completions at once, on a %s connection', async (era) => {
    await using session = await database.connect({}, era);
    const heard = await changesOf(session, era);
    const updates = await session.subscribe('pg://postgres/large');
    const completed = async (): Promise<readonly string[]> => {
      const context = { arguments: { schema: 'large' } };
      return (await session.client.complete({ ref: TABLE, argument: { name: 'table', value: 'added' }, context })).completion
        .values;
    };
    expect(await completed()).toEqual([]);
    await database.asSuperuser('create table large.added (a int)');
    await updates.next();
    expect(await completed()).toEqual(['added']);
    await database.asSuperuser(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mcp-sql schema'",
    );
    await vi.waitUntil(() => heard.resources > 0);
    await database.asSuperuser('drop table large.added');
    await updates.next();
    await vi.waitUntil(async () => (await completed()).length === 0);
  });

  it('suggests a similar column', async () => {
    await using session = await database.connect();
    const sql = `select "column 7.33" from large."table 7"`;
    expect(await session.fails('query', { sql })).toContain('column 7.3');
  });

  it('describes the widest table', async () => {
    await using session = await database.connect(WHOLE);
    const { structuredContent } = await session.call('describe', { object: 'large.wide', include: ['columns', 'ddl', 'sample'] });
    expect(structuredContent).toMatchObject({ columns: expect.objectContaining({ length: COLUMNS }) });
  });

  it('truncates the description of a schema that exceeds the limit', async () => {
    await using session = await database.connect(WHOLE);
    const { structuredContent } = await session.call('describe', { object: 'large' });
    expect(structuredContent).toMatchObject({
      members: expect.objectContaining({ length: 1000 }),
      truncated: ['members: the first 1000'],
    });
  });
});
