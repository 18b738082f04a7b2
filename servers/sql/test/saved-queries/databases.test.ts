import path from 'node:path';

import { McpServer } from '@org/mcp-decorators';
import { connect } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { Databases, PostgresDatabase, PostgresServer, type SchemaChange } from '../../src/index.ts';
import { urlSource } from '../../src/postgres/database/connect/url-source.ts';
import { optionsWith, useDatabase } from '../fixtures/postgres.ts';
import { folderOf, ONE, save } from '../fixtures/query-folder.ts';

const database = useDatabase({ sql: 'create table only_here (one int); grant select on only_here to mcp_ro' });

/** A database whose schema cannot be watched at first. */
class UnwatchedDatabase extends PostgresDatabase {
  attempts = 0;
  failures = 1;
  isDisposed = false;

  override async watchSchema(changed: (change: SchemaChange) => void): Promise<AsyncDisposable> {
    this.attempts += 1;
    if (this.attempts <= this.failures) throw new Error('the schema cannot be watched');
    return super.watchSchema(changed);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true;
    await super[Symbol.asyncDispose]();
  }
}

@McpServer({ name: 'unwatched', version: '1.0.0' })
class UnwatchedServer extends PostgresServer {
  readonly database = new UnwatchedDatabase(
    'postgres',
    urlSource({ url: database.url(), passwordFile: undefined }),
    this.options,
  );

  protected override openDatabases(): Databases<PostgresDatabase> {
    return new Databases([this.database]);
  }
}

/** Sends every call to the database `replica`. */
@McpServer({ name: 'redirecting', version: '1.0.0' })
class RedirectingServer extends PostgresServer {
  protected override databaseFor(): PostgresDatabase {
    return super.databaseFor({ database: 'replica' });
  }
}

describe('saved queries', () => {
  it('are described by the next scan after the schema could not be watched', async () => {
    const folder = await folderOf({ 'first.sql': ONE });
    await using session = await connect(new UnwatchedServer(optionsWith({ queries: folder })));
    expect(await session.toolNames()).not.toContain('first');
    await save(path.join(folder, 'second.sql'), ONE);
    await vi.waitUntil(async () => (await session.toolNames()).includes('second'));
    expect(await session.text('first')).toContain('one\n1\n');
  });

  it('do not keep a server from being disposed of if the schema cannot be watched', async () => {
    const server = new UnwatchedServer(optionsWith({ queries: await folderOf({ 'first.sql': ONE }) }));
    server.database.failures = Number.POSITIVE_INFINITY;
    await server.open();
    await server[Symbol.asyncDispose]();
    expect(server.database).toMatchObject({ isDisposed: true, attempts: 1 });
  });

  it('use the database that an override of databaseFor selects', async () => {
    const queries = await folderOf({ 'where.sql': '---\ndescription: x\n---\nselect count(*) from only_here' });
    const options = { url: 'postgres://nobody@127.0.0.1:1/main', database: [`replica=${database.url()}`], queries };
    await using session = await connect(new RedirectingServer(optionsWith(options)));
    expect(await session.text('where')).toContain('count\n0\n');
  });
});
