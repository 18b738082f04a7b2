import { readFile } from 'node:fs/promises';

import { compileServer, McpServer, RequestContext, type Result, Text, Tool } from '@org/mcp-decorators';
import { connect, ERAS, expectCompatible } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { PostgresServer, QueryInput } from '../src/index.ts';
import { OverridingServer } from './fixtures/overriding-server.ts';
import { optionsWith, useDatabase } from './fixtures/postgres.ts';
import { TeamOptions, TeamSql } from './fixtures/team-sql.ts';

const database = useDatabase({ sql: 'create table big as select g from generate_series(1, 10000) g; create table small ()' });

async function code(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}

/** Matches the imports and the call of runServer. */
const AROUND = /^import .*\n|\nawait runServer.*\n/gm;

describe.each(ERAS)('a subclass of the SQL server on a %s connection', (era) => {
  it('adds a tool, overrides a tool and disables a tool', async () => {
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

/** Valid arguments of each tool. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  list_databases: {},
  search_objects: {},
  describe: { object: 'small' },
  er_diagram: {},
  generate_types: {},
  compare_schemas: { schema: 'public' },
  query: { sql: 'select 1' },
  fetch_result: { handle: '0' },
  export: { sql: 'select 1' },
  profile_column: { table: 'big', column: 'g' },
  explain: { sql: 'select 1' },
  advise_indexes: { sql: 'select 1' },
  rehearse_migration: { sql: 'select 1' },
  top_queries: {},
  health: {},
  activity: {},
  cancel: { pid: 1 },
  listen: { channels: ['news'] },
  execute: { sql: 'select 1' },
  import: { table: 'big', columns: ['g'], rows: [['1']] },
  run_maintenance: { table: 'big', action: 'analyze' },
};

class LedgerInput extends QueryInput {
  @Text('One SELECT') declare sql: string;
}

@McpServer({ name: 'renaming', version: '1.0.0' })
class RenamingServer extends PostgresServer {
  @Tool({ description: 'Read the ledger' })
  override async query(input: LedgerInput, context: RequestContext): Promise<Result> {
    return super.query(input, context);
  }
}

describe('a subclass of the SQL server', () => {
  it('cannot write without --writable even if it offers the writing tools', async () => {
    const server = Object.assign(new PostgresServer(optionsWith({ url: database.url() })), { offers: () => true });
    await using session = await connect(server);
    const update = { sql: 'update big set id = 2' };
    expect(await session.fails('execute', update)).toMatch(/^READ_ONLY: the database postgres is read-only/);
  });

  it('overrides each tool, a resource and a prompt by plain methods', async () => {
    const server = new OverridingServer(optionsWith({ url: database.url(), writable: true }));
    await using session = await connect(server, { tools: ['all'] });
    const names = [...compileServer(PostgresServer).tools.keys()];
    expect(Object.keys(ARGUMENTS).toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(await session.fails(name, ARGUMENTS[name])).toBe(`CONFLICT: overridden ${name}`);
    const { contents } = await session.client.readResource({ uri: 'pg://postgres/public/big/ddl' });
    expect(contents).toMatchObject([{ text: 'overridden DDL' }]);
    expect((await session.client.getPrompt({ name: 'explore_database' })).messages).toEqual([]);
  });

  it('replaces the texts of an inherited tool by another decorator', () => {
    const { definition } = compileServer(RenamingServer).tools.get('query') ?? {};
    expect(definition?.description).toBe('Read the ledger');
    expect(definition?.inputSchema.properties?.['sql']).toMatchObject({ description: 'One SELECT' });
  });

  it('stays compatible with PostgresServer', () => {
    expectCompatible(TeamSql, PostgresServer, { except: ['export'] });
  });

  it('equals the example in docs/build/extending.md', async () => {
    const [, written = ''] =
      /^```ts \[src\/team-sql\.ts\]\n(.*?)^```$/ms.exec(await code('../../../docs/build/extending.md')) ?? [];
    expect(written.replaceAll(AROUND, '')).toBe(
      (await code('./fixtures/team-sql.ts')).replaceAll(AROUND, '').replace('\n\n', '\n'),
    );
  });
});
