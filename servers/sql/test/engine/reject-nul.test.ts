import { McpServer, type RequestContext } from '@org/mcp-decorators';
import { connect } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import {
  Databases,
  PostgresDatabase,
  PostgresServer,
  type PreparedWrite,
  type StatementDescription,
  type WriteRequest,
} from '../../src/index.ts';
import { urlSource } from '../../src/postgres/database/connect/url-source.ts';
import { folderOf } from '../fixtures/query-folder.ts';
import { CONFIRMS, useStock } from '../fixtures/stock.ts';
import { optionsWith } from '../fixtures/postgres.ts';

const database = useStock();

/** A database that ignores the text after NUL, as the C interfaces of many engines do. */
class CuttingDatabase extends PostgresDatabase {
  override async prepareWrite(request: WriteRequest, context: RequestContext): Promise<PreparedWrite> {
    return super.prepareWrite(
      { ...request, sql: cut(request.sql), params: request.params.map((text) => text && cut(text)) },
      context,
    );
  }

  override async describeStatement(sql: string, signal: AbortSignal): Promise<StatementDescription> {
    return super.describeStatement(cut(sql), signal);
  }
}

function cut(text: string): string {
  return text.split('\0')[0] ?? '';
}

@McpServer({ name: 'cutting', version: '1.0.0' })
class CuttingServer extends PostgresServer {
  protected override openDatabases(): Databases<PostgresDatabase> {
    const source = urlSource({ url: database.appUrl(), passwordFile: undefined });
    return new Databases([new CuttingDatabase('postgres', source, this.options)]);
  }
}

describe('the character NUL', () => {
  const problem = 'PostgreSQL does not accept the character NUL in statements or values';

  it.each([
    ['query', { sql: 'select 1\0' }],
    ['query', { sql: 'select $1', params: ['a\0b'] }],
    ['export', { sql: 'select 1\0' }],
    ['execute', { sql: 'update stock set count = 0\0 where false' }],
    ['execute', { sql: 'update stock set name = $1', params: ['a\0b'] }],
  ])('is rejected by %s, even if the database ignores the text after it: %j', async (tool, args) => {
    await using session = await connect(new CuttingServer(optionsWith({ writable: true, policy: 'off' })), CONFIRMS);
    expect(await session.fails(tool, args)).toBe(`INVALID_ARGUMENTS: ${problem}`);
    expect(await database.counts()).toBe('1 2 3 4 5');
  });

  it('is a problem of a saved query', async () => {
    const queries = await folderOf({ 'cut.sql': '---\ndescription: x\n---\nselect 1 as one\0' });
    await using session = await connect(new CuttingServer(optionsWith({ queries, policy: 'off' })));
    const { contents } = await session.client.readResource({ uri: 'pgquery://cut' });
    expect(JSON.stringify(contents)).toContain(problem);
  });
});
