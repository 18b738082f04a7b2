import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Diagnosis } from '@org/mcp-host';
import { connect } from '@org/mcp-testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import { PostgresServer } from '../../src/index.ts';
import { optionsWith, useDatabase } from '../fixtures/postgres.ts';
import { changesOf, folderOf, ONE } from '../fixtures/query-folder.ts';

const database = useDatabase({
  sql: `
    create type mood as enum ('sad', 'ok', 'happy');
    create domain small as int check (value < 10);
    create table people (id bigint primary key);
  `,
});

function serverOn(queries: string): PostgresServer {
  return new PostgresServer(optionsWith({ url: database.url(), queries }));
}

const ATTACKS: readonly (readonly [attack: string, text: string, at: string, message: RegExp])[] = [
  ['a statement that writes', '---\ndescription: x\n---\ndelete from people', '4:1', /READ_ONLY/],
  ['a second statement', '---\ndescription: x\n---\nselect 1; drop table people', '4:', /SYNTAX|POLICY_DENIED/],
  [
    'the name of a tool',
    '---\nname: query\ndescription: x\n---\nselect 1',
    '1:1',
    /a tool or a set of tools has the name "query"/,
  ],
  ['the name of a set', '---\nname: read\ndescription: x\n---\nselect 1', '1:1', /a tool or a set of tools has the name "read"/],
  ['a name of odd characters', '---\nname: ../x\ndescription: x\n---\nselect 1', '2:1', /is not a valid name/],
  ['no header', 'select 1', '1:1', /must begin with/],
  ['a header without an end', '---\ndescription: x\nselect 1', '3:1', /key: value|does not end/],
  ['no description', '---\nname: x\n---\nselect 1', '1:1', /description is missing/],
  ['an unknown key', '-- ---\n-- descripton: x\n-- ---\nselect 1', '2:4', /"descripton" is not a known key/],
  ['a key twice', '---\ndescription: x\ndescription: y\n---\nselect 1', '3:1', /occurs twice/],
  ['too many rows', '---\ndescription: x\nmax_rows: 10001\n---\nselect 1', '3:1', /max_rows must be an integer/],
  [
    'a parameter that the statement lacks',
    '---\ndescription: x\nparams:\n  a: b\n---\nselect 1',
    '1:1',
    /0 parameters, and params names 1/,
  ],
  ['a parameter without a name', '---\ndescription: x\n---\nselect $1::int', '1:1', /1 parameter, and params names 0/],
  [
    'a parameter named like a prototype',
    '---\ndescription: x\nparams:\n  __proto__: b\n---\nselect $1::int',
    '4:3',
    /is not a valid name/,
  ],
  ['nothing below its header', '---\ndescription: x\n---\n\n', '3:1', /no statement/],
  ['a missing database', '---\ndescription: x\ndatabase: other\n---\nselect 1', '', /other/],
  ['more than 64 KiB', `---\ndescription: x\n---\nselect '${'x'.repeat(70_000)}'`, '1:1', /longer than 65536 bytes/],
];

/** Query that returns a row for each statement that waits for a lock of the table `changing`. */
const WAITING_FOR_LOCK = "select from pg_locks where not granted and relation = 'changing'::regclass";

describe('a saved query', () => {
  let attacked: readonly Diagnosis[] = [];
  let offered: readonly string[] = [];

  beforeAll(async () => {
    const files = Object.fromEntries(ATTACKS.map(([, text], index) => [`attack_${index}.sql`, text]));
    const folder = await folderOf({ ...files, 'fine.sql': ONE });
    const server = serverOn(folder);
    await using session = await connect(server);
    attacked = await server.diagnose();
    offered = (await session.toolNames()).filter((name) => name === 'fine' || name.startsWith('attack'));
  });

  it('accepts parameters of every type', async () => {
    const folder = await folderOf({
      'kinds.sql': `---
description: Kinds
params:
  small:
  whole:
  large:
  exact:
  flag:
  at:
  words:
  object:
  id:
  moods:
---
select $1::small, $2::int, $3::bigint, $4::numeric, $5::bool, $6::timestamptz at time zone 'utc', $7::text[], $8::jsonb, $9::uuid, $10::mood[]`,
    });
    await using session = await connect(serverOn(folder));
    const args = {
      small: 3,
      whole: -7,
      large: '9223372036854775807',
      exact: '1.10',
      flag: true,
      at: '2026-07-28T12:00:00Z',
      words: ['a "b"', String.raw`c\d`, 'NULL', ''],
      object: { a: [1, null] },
      id: '00000000-0000-4000-8000-000000000000',
      moods: ['ok'],
    };
    const text = await session.text('kinds', args);
    expect(text).toContain('3,-7,9223372036854775807,1.10,t,2026-07-28 12:00:00,');
    expect(text).toContain(String.raw`"{""a \""b\"""",""c\\d"",""NULL"",""""}"`);
    expect(text).toContain('"{""a"": [1, null]}"');
    expect(text).toContain('00000000-0000-4000-8000-000000000000,{ok}');
    for (const wrong of [
      { whole: 2 ** 31 },
      { flag: 'yes' },
      { large: 1.5 },
      { exact: '1; drop' },
      { moods: ['angry'] },
      { id: 'x' },
    ])
      expect(await session.fails('kinds', { ...args, ...wrong }), JSON.stringify(wrong)).toMatch(/^INVALID_ARGUMENTS/);
    expect(await session.fails('kinds', { ...args, small: 12 })).toMatch(/^CONSTRAINT/);
  });

  it.for(ATTACKS.map((row, index) => [...row, index] as const))(
    'is not a tool if it has %s, and the reason is reported',
    async ([, , at, message, index]) => {
      const wrong = attacked.find(({ subject }) => subject === `query attack_${index}.sql`);
      expect(wrong?.ok).toBe(false);
      expect(wrong?.detail).toMatch(message);
      expect(wrong?.detail).toContain(`attack_${index}.sql:${at}`);
    },
  );

  it('is a tool beside invalid files if it is valid', () => {
    expect(offered).toEqual(['fine']);
  });

  it('is not read through a link, from a subdirectory or without the extension', async () => {
    const outside = await folderOf({ 'secret.sql': ONE });
    const folder = await folderOf({ 'notes.txt': ONE, '.hidden.sql': ONE, 'fine.sql': ONE });
    await symlink(path.join(outside, 'secret.sql'), path.join(folder, 'link.sql'));
    await symlink('/dev/zero', path.join(folder, 'zero.sql'));
    await mkdir(path.join(folder, 'deep.sql'));
    const server = serverOn(folder);
    await using session = await connect(server);
    expect((await session.toolNames()).filter((name) => ['link', 'zero', 'deep', 'notes', 'secret'].includes(name))).toEqual([]);
    expect(await session.toolNames()).toContain('fine');
    const details = (await server.diagnose()).filter(({ ok }) => !ok).map(({ subject }) => subject);
    expect(details).toEqual(['query deep.sql', 'query link.sql', 'query zero.sql']);
  });

  it('is ignored beyond 200 files, and if another file has the same name, with the reason', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 201 }, (_, index) => [`q${String(index).padStart(3, '0')}.sql`, 'select']),
    );
    const server = serverOn(
      await folderOf({ ...many, 'a.sql': ONE, 'b.sql': `---\nname: a\ndescription: Other\n---\nselect 2` }),
    );
    await using session = await connect(server);
    expect(await session.text('a')).toContain('one');
    const details = (await server.diagnose()).map(({ detail }) => detail);
    expect(details).toContain('b.sql:1:1: another file has a query "a"');
    expect(details.filter((detail) => detail.includes('more than 200 files'))).toHaveLength(3);
  });

  it('appears when its directory is created, and when a file is moved there', async () => {
    const folder = await folderOf({});
    const queries = path.join(folder, 'later');
    const server = serverOn(queries);
    await using session = await connect(server, { era: 'legacy' });
    const heard = await changesOf(session, 'legacy');
    expect(await server.diagnose()).toContainEqual({
      subject: `queries ${queries}`,
      ok: false,
      detail: 'the directory does not exist',
    });
    await mkdir(queries);
    await writeFile(path.join(folder, 'x.tmp'), ONE);
    await rename(path.join(folder, 'x.tmp'), path.join(queries, 'moved.sql'));
    await vi.waitUntil(() => heard.tools > 0);
    expect(await session.toolNames()).toContain('moved');
  });

  it('fails if its columns differ from the listed schema', async () => {
    await database.asSuperuser('create table changing (a int); grant select on changing to mcp_ro');
    await using session = await connect(
      serverOn(await folderOf({ 'changing.sql': `---\ndescription: x\nstructured: true\n---\ntable changing` })),
    );
    await session.client.listTools();
    const heard = await changesOf(session, 'modern');
    // The call waits for the lock, so it has begun before the server can notice the change.
    await database.asSuperuser('begin; alter table changing add b text');
    const failed = session.fails('changing');
    await vi.waitUntil(async () => (await database.asSuperuser(WAITING_FOR_LOCK)).length > 0);
    await database.asSuperuser('commit');
    expect(await failed).toMatch(/^CONFLICT/);
    await vi.waitUntil(() => heard.tools > 0);
    await session.client.listTools();
    expect(await session.text('changing')).toContain('a,b');
  });

  it('fails, or returns the number of its columns, if the columns are too many for a result', async () => {
    const list = Array.from({ length: 1200 }, (_, n) => `'x' as "column ${n}"`).join(', ');
    const queries = await folderOf({
      'wide.sql': `---\ndescription: x\n---\nselect ${list}`,
      'whole.sql': `---\ndescription: x\nstructured: true\n---\nselect ${list}`,
      'long.sql': `---\ndescription: x\n---\nselect ${list.replaceAll("'x'", "repeat('x', 12)")}`,
    });
    await using session = await connect(serverOn(queries));
    await session.client.listTools();
    expect((await session.call('wide'))._meta).toMatchObject({ columns_omitted: 1200, row_count: 1 });
    expect(await session.fails('whole')).toMatch(/^TOO_LARGE: the columns of whole alone are too long.*\nselect fewer columns/);
    expect(await session.text('long')).toMatch(/0 rows, and more rows exist\nthe next row alone is too long for a result/);
  });
});
