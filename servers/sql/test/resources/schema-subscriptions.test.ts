import { readFileSync } from 'node:fs';

import { connect, connectHttp, ERAS, type Era } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { PostgresServer } from '../../src/index.ts';
import { optionsWith, useDatabase } from '../fixtures/postgres.ts';
import { changesOf, folderOf } from '../fixtures/query-folder.ts';

const database = useDatabase({
  // Only the embedded server creates these event triggers. The tests drop them, so that the server works as with any other
  // database.
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

/** The SQL in docs/servers/sql/index.md with which a superuser creates event triggers for schema changes. */
const [, SCHEMA_TRIGGER_SQL = ''] =
  /^```sql\n(create function mcp_schema_changed.*?)^```$/ms.exec(
    readFileSync(new URL('../../../../docs/servers/sql/index.md', import.meta.url), 'utf8'),
  ) ?? [];

/** FROM clause that selects the connection on which the server listens for schema changes. */
const LISTENER = `from pg_stat_activity where application_name = 'mcp-sql schema'`;

const WAYS = ERAS.flatMap((era) => [
  { way: `memory, ${era}`, era, join: connect },
  { way: `http, ${era}`, era, join: connectHttp },
]);

describe.each(WAYS)('a table that is subscribed to, by $way,', ({ era, join }) => {
  it('sends a notification after a change, which the counters of the catalogs reveal', async () => {
    await using session = await join(server(), { era });
    const updates = await session.subscribe(WATCHED);
    await database.asSuperuser(`alter table watched add "${era}${join.name}" text`);
    // Without this call, the session may report its changes to the counters up to a minute later.
    await database.asSuperuser('select pg_stat_force_next_flush()');
    await updates.next();
  });
});

async function expectNotification(era: Era, uri: string, sql: string): Promise<void> {
  await using session = await connect(server(), { era });
  const updates = await session.subscribe(uri);
  await database.asSuperuser(sql);
  await updates.next();
}

describe('a schema subscription', () => {
  it('reports only its own changes, immediately if an event trigger notifies', async () => {
    await database.asSuperuser(SCHEMA_TRIGGER_SQL);
    await using session = await connect(server());
    const updates = await session.subscribe(WATCHED);
    await database.asSuperuser('alter table other add b int');
    await database.asSuperuser('insert into watched values (1)');
    await database.asSuperuser('analyze watched');
    await database.asSuperuser(`comment on column watched.a is 'new'`);
    await updates.next();
    expect(updates.count).toBe(1);
  });

  it.each<readonly [what: string, uri: string, sql: string]>([
    ['a new table, of its schema', 'pg://postgres/public', 'create table added (a int)'],
    ['a new index', WATCHED, 'create index on watched (a)'],
    ['its SQL', `${WATCHED}/ddl`, 'alter table watched alter a set default 3'],
    ['its end', 'pg://postgres/public/added', 'drop table added'],
    ['a name that has to be escaped', 'pg://postgres/public/a%20%22b%2F', 'alter table "a ""b/" add b int'],
  ])('reports %s', async (what, uri, sql) => {
    if (what.startsWith('a name')) await database.asSuperuser('create table "a ""b/" (a int)');
    await expectNotification('legacy', uri, sql);
  });

  it.each(['pg://postgres/public/nothing', 'pg://nothing/public/watched', 'pg://postgres/%E0%A4%A/x', `${WATCHED}/sample`])(
    'is rejected for %s',
    async (uri) => {
      await using session = await connect(server(), { era: 'legacy' });
      await expect(session.subscribe(uri)).rejects.toThrow();
    },
  );

  it('survives the loss of its connection, and reports possibly missed events', async () => {
    await using session = await connect(server());
    const heard = await changesOf(session, 'modern');
    const updates = await session.subscribe(WATCHED);
    await database.asSuperuser(`select pg_terminate_backend(pid) ${LISTENER}`);
    await database.asSuperuser('alter table watched add lost int');
    await updates.next();
    await vi.waitUntil(() => heard.resources === 1);
  });

  it('describes a saved query again', async () => {
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
