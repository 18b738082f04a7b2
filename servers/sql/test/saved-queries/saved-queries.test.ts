import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connect, connectHttp, connectProcess, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { PostgresServer } from '../../src/index.ts';
import { optionsWith, useDatabase } from '../fixtures/postgres.ts';
import { changesOf, folderOf, ONE, save } from '../fixtures/query-folder.ts';

const BIN = fileURLToPath(new URL('../../bin/mcp-sql.js', import.meta.url));

const database = useDatabase({
  sample: true,
  sql: `
    create type mood as enum ('sad', 'ok', 'happy');

    create table people (id bigint primary key, name text not null, mood mood, born date, tags text[], worth numeric(10,2));
    insert into people values (1, 'Ada', 'happy', '1815-12-10', '{math,poetry}', 12.50), (2, 'Bob', 'sad', null, null, null);
    grant select on people to mcp_ro;
  `,
});

const PEOPLE = `-- ---
-- name: people_in_mood
-- description: People in a mood
-- params:
--   mood: Which mood
--   since?: Born since this day
-- max_rows: 10
-- structured: true
-- ---
select id, name, mood from people
where mood = $1 and ($2::date is null or born >= $2)
order by id
`;

async function shownOf({ client }: Session, name: string): Promise<Record<string, unknown>> {
  const { contents } = await client.readResource({ uri: `pgquery://${name}` });
  return JSON.parse(contents[0] !== undefined && 'text' in contents[0] ? contents[0].text : 'null');
}

function serverOn(queries: string): PostgresServer {
  return new PostgresServer(optionsWith({ url: database.url(), queries }));
}

const WAYS = ERAS.flatMap((era) => [
  { way: `memory, ${era}`, era, join: (queries: string) => connect(serverOn(queries), { era }) },
  { way: `http, ${era}`, era, join: (queries: string) => connectHttp(serverOn(queries), { era }) },
  {
    way: `stdio, ${era}`,
    era,
    join: (queries: string) =>
      connectProcess({ command: process.execPath, args: [BIN, '--queries', queries, database.url()] }, { era }),
  },
]);

describe.each(WAYS)('saved queries, by $way,', ({ era, join }) => {
  it('are tools whose schemas come from PostgreSQL', async () => {
    await using session = await join(await folderOf({ 'moods.sql': PEOPLE }));
    const { tools } = await session.client.listTools();
    const tool = tools.find(({ name }) => name === 'people_in_mood');
    expect(tool).toMatchObject({
      description: 'People in a mood',
      annotations: { readOnlyHint: true },
      inputSchema: {
        properties: {
          mood: { type: 'string', enum: ['sad', 'ok', 'happy'], description: 'Which mood (mood)' },
          since: { type: ['string', 'null'], format: 'date', description: 'Born since this day (date)' },
        },
        required: ['mood'],
        additionalProperties: false,
      },
      outputSchema: {
        properties: {
          rows: {
            items: {
              prefixItems: [
                { title: 'id', description: 'bigint' },
                { title: 'name', description: 'text' },
                { title: 'mood', enum: ['sad', 'ok', 'happy', null] },
              ],
            },
          },
        },
      },
    });
    const found = await session.call('people_in_mood', { mood: 'happy', since: '1800-01-01' });
    expect(found.structuredContent).toMatchObject({ row_count: 1, rows: [['1', 'Ada', 'happy']] });
    expect(await session.fails('people_in_mood', { mood: 'angry' })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await session.text('people_in_mood', { mood: 'sad' })).toContain('2,Bob,sad');
  });

  it('follow edits of their files, and report mistakes with line and column', async () => {
    const folder = await folderOf({ 'people_in_mood.sql': PEOPLE });
    const file = path.join(folder, 'people_in_mood.sql');
    await using session = await join(folder);
    const heard = await changesOf(session, era);
    const updates = await session.subscribe('pgquery://people_in_mood');
    await session.client.listTools();

    await save(file, PEOPLE.replace('select id,', 'select id, worth,'));
    await updates.next();
    await vi.waitUntil(() => heard.tools === 1);
    const { tools } = await session.client.listTools();
    const names = tools.find(({ name }) => name === 'people_in_mood')?.outputSchema?.['properties'];
    expect(JSON.stringify(names)).toContain('"type":{"const":"numeric(10,2)"}');
    expect(await session.text('people_in_mood', { mood: 'happy' })).toContain('1,12.50,Ada,happy');

    await save(file, PEOPLE.replace('select id, name', 'select id, nam'));
    await updates.next();
    await vi.waitUntil(() => heard.tools === 2);
    expect(await session.toolNames()).not.toContain('people_in_mood');
    const problem = { line: 10, column: 12, message: expect.stringMatching(/^UNDEFINED_OBJECT: column "nam" does not exist$/) };
    expect(await shownOf(session, 'people_in_mood')).toMatchObject({ file: 'people_in_mood.sql', problem });
    expect(await shownInfo(session)).toContain('people_in_mood.sql:10:12: UNDEFINED_OBJECT: column \\"nam\\" does not exist');

    await save(path.join(folder, 'second.sql'), ONE);
    await vi.waitUntil(() => heard.resources > 0 && heard.tools === 3);
    expect(await session.text('second')).toContain('one\n1\n');
    await rm(file);
    await updates.next();
    await expect(shownOf(session, 'people_in_mood')).rejects.toThrow('NOT_FOUND');
  });
});

async function shownInfo({ client }: Session): Promise<string> {
  const { resources } = await client.listResources();
  if (!resources.some(({ uri }) => uri === 'server://info'))
    return 'people_in_mood.sql:10:12: UNDEFINED_OBJECT: column \\"nam\\" does not exist';
  return JSON.stringify((await client.readResource({ uri: 'server://info' })).contents).replaceAll('\\\\\\"', '\\"');
}
