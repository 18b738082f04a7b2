import { readFileSync } from 'node:fs';

import { connect, connectHttp, ERAS, type Era } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { PostgresServer } from '../../src/index.ts';
import { optionsWith, useDatabase } from '../postgres.ts';
import { changesOf, folderOf } from './folder.ts';

const database = useDatabase({
  // As on a server of others, which has none.
  sql: `
    drop event trigger mcp_sql_ddl;
    drop event trigger mcp_sql_drop;
    create table watched (a int);
    create table other (a int);
    grant select on watched to mcp_ro;
  `,
});

const WATCHED = 'pg://postgres/public/watched';

function server(queries?: string): PostgresServer {
  return new PostgresServer(optionsWith({ url: database.url(), ...(queries !== undefined && { queries }) }));
}

/** What the guide tells a superuser to run. */
const [, SCHEMA_TRIGGER_SQL = ''] =
  /^```sql\n(create function mcp_schema_changed.*?)^```$/ms.exec(
    readFileSync(new URL('../../README.md', import.meta.url), 'utf8'),
  ) ?? [];

/** The connection that listens. */
const LISTENER = `from pg_stat_activity where application_name = 'mcp-sql schema'`;

const WAYS = ERAS.flatMap((era) => [
  { way: `memory, ${era}`, era, join: connect },
  { way: `http, ${era}`, era, join: connectHttp },
]);

describe.each(WAYS)('a table that is subscribed to, by $way,', ({ era, join }) => {
  it('is told to have changed when it did, by the counters of the catalogs', async () => {
    await using session = await join(server(), { era });
    const updates = await session.subscribe(WATCHED);
    // Or the session would count this together with what it does next.
    await database.asSuperuser('select pg_stat_force_next_flush()');
    await database.asSuperuser(`alter table watched add "${era}${join.name}" text`);
    await updates.next();
  });
});

async function toldOf(era: Era, uri: string, sql: string): Promise<void> {
  await using session = await connect(server(), { era });
  const updates = await session.subscribe(uri);
  await database.asSuperuser(sql);
  await updates.next();
}

describe('a schema subscription', () => {
  it('hears of what changed at once where an event trigger notifies, and of nothing else', async () => {
    await database.asSuperuser(SCHEMA_TRIGGER_SQL);
    await using session = await connect(server());
    const updates = await session.subscribe(WATCHED);
    await database.asSuperuser('alter table other add b int');
    await database.asSuperuser('insert into watched values (1)');
    await database.asSuperuser('analyze watched');
    await database.asSuperuser(`comment on column watched.a is 'told'`);
    await updates.next();
    expect(updates.count).toBe(1);
  });

  it.each<readonly [what: string, uri: string, sql: string]>([
    ['a new table, of its schema', 'pg://postgres/public', 'create table added (a int)'],
    ['a new index', WATCHED, 'create index on watched (a)'],
    ['its SQL', `${WATCHED}/ddl`, 'alter table watched alter a set default 3'],
    ['its end', 'pg://postgres/public/added', 'drop table added'],
    ['a name that has to be escaped', 'pg://postgres/public/a%20%22b%2F', 'alter table "a ""b/" add b int'],
  ])('tells of %s', async (what, uri, sql) => {
    if (what.startsWith('a name')) await database.asSuperuser('create table "a ""b/" (a int)');
    await toldOf('legacy', uri, sql);
  });

  it.each(['pg://postgres/public/nothing', 'pg://nothing/public/watched', 'pg://postgres/%E0%A4%A/x', `${WATCHED}/sample`])(
    'to %s is refused',
    async (uri) => {
      await using session = await connect(server(), { era: 'legacy' });
      await expect(session.subscribe(uri)).rejects.toThrow();
    },
  );

  it('survives the end of its connection, and tells that events were lost', async () => {
    await using session = await connect(server());
    const heard = await changesOf(session, 'modern');
    const updates = await session.subscribe(WATCHED);
    await database.asSuperuser(`select pg_terminate_backend(pid) ${LISTENER}`);
    await database.asSuperuser('alter table watched add lost int');
    await updates.next();
    await vi.waitUntil(() => heard.resources === 1);
  });

  it('has a saved query described anew', async () => {
    const queries = await folderOf({ 'columns.sql': '---\ndescription: x\nstructured: true\n---\ntable watched' });
    await using session = await connect(server(queries));
    const heard = await changesOf(session, 'modern');
    await database.asSuperuser('alter table watched add renewed date');
    await vi.waitUntil(() => heard.tools > 0);
    const { tools } = await session.client.listTools();
    expect(JSON.stringify(tools.find(({ name }) => name === 'columns')?.outputSchema)).toContain('renewed');
  });

  it('leaves no connection behind', async () => {
    await vi.waitUntil(async () => (await database.asSuperuser(`select count(*) ${LISTENER}`))[0]?.[0] === '0');
    const session = await connect(server());
    const updates = await session.subscribe(WATCHED);
    expect(await database.asSuperuser(`select count(*) ${LISTENER}`)).toEqual([['1']]);
    await updates[Symbol.asyncDispose]();
    await vi.waitUntil(async () => (await database.asSuperuser(`select count(*) ${LISTENER}`))[0]?.[0] === '0');
    await session[Symbol.asyncDispose]();
  });
});
