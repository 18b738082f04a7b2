import { readFile } from 'node:fs/promises';

import { connect, ERAS, expectCompatible } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { PostgresServer } from '../src/index.ts';
import { useDatabase } from './postgres.ts';
import { TeamOptions, TeamSql } from './team-sql.ts';

const database = useDatabase({ sql: 'create table big as select g from generate_series(1, 10000) g; create table small ()' });

async function code(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}

/** What makes a process of it, and where it comes from. */
const AROUND = /^import .*\n|\nawait runServer.*\n/gm;

describe.each(ERAS)('a subclass of the SQL server on a %s connection', (era) => {
  it('adds a tool, changes one, and leaves one out', async () => {
    const url = database.url();
    const options = Object.assign(new TeamOptions(), { url, database: [`replica=${url}`] });
    await using session = await connect(new TeamSql(options), { era });
    expect(await session.toolNames()).not.toContain('export');
    expect(await session.text('largest_tables')).toMatch(/^big \d{6}\n/);
    expect(await session.fails('query', { sql: 'select 1', keep: true })).toBe(
      'INVALID_ARGUMENTS: whole results are read from replica\npass database: replica',
    );
    expect(await session.text('query', { sql: 'select 1', keep: true, database: 'replica' })).toContain('1 row');
    expect(await session.text('query', { sql: 'select 2' })).toContain('1 row');
  });
});

describe('a subclass of the SQL server', () => {
  it('keeps what clients rely on', () => {
    expectCompatible(TeamSql, PostgresServer, { except: ['export'] });
  });

  it('is written in the readme as it is tested', async () => {
    const [, written = ''] = /^```ts\n(.*?)^```$/ms.exec(await code('../README.md')) ?? [];
    expect(written.replaceAll(AROUND, '')).toBe((await code('team-sql.ts')).replaceAll(AROUND, '').replace('\n\n', '\n'));
  });
});
