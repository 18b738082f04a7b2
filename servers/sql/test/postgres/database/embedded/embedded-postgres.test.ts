import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { resolveStateDirectory } from '@org/mcp-host';
import { connect } from '@org/mcp-testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { locateNative } from '../../../../src/postgres/database/embedded/binaries.ts';
import { EmbeddedPostgres } from '../../../../src/postgres/database/embedded/embedded-postgres.ts';
import { SchemaListener } from '../../../../src/postgres/database/listen/schema-listener.ts';
import { embeddedSource } from '../../../../src/postgres/database/embedded/embedded-source.ts';
import { PostgresServer } from '../../../../src/index.ts';
import { optionsWith } from '../../../fixtures/postgres.ts';

let home = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'embedded-')));
  // If the tests run as root, the server runs as another user, who must be able to enter this directory.
  await chmod(home, 0o755);
  vi.stubEnv('TMPDIR', home);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

const native = locateNative();
/** The state directory that all tests share, which has a template. */
const stateDirectory = resolveStateDirectory('mcp-sql', {});

const SCHEMA_CHANGES = ['create table a (b int)', 'alter table a add c int', 'create index on a (b)', 'drop table a'];

const CONFIRMS = { answers: { elicitation: { confirm: true } } } as const;

describe('the embedded server', () => {
  it('starts empty, answers as mcp_ro, and removes its directory at the end', async () => {
    const session = await connect(new PostgresServer(optionsWith({})));
    expect(await session.text('query', { sql: 'select current_user, current_database()' })).toContain('mcp_ro,postgres');
    expect(await session.text('search_objects')).toContain('schema public');
    // Settings that risk data in a crash are not reported, because the data are temporary.
    expect(await session.text('health', { checks: ['settings'] })).toBe('ok: settings');
    expect(await readdir(home)).toEqual([expect.stringMatching(/^mcp-sql-/)]);
    await session[Symbol.asyncDispose]();
    expect(await readdir(home)).toEqual([]);
  });

  it('has a sample with enough rows to page', async () => {
    await using session = await connect(new PostgresServer(optionsWith({ sample: true })));
    const sql = 'select (select count(*) from customers), (select count(*) from orders), (select count(*) from order_lines)';
    expect(await session.text('query', { sql })).toContain('2000,20000,50000');
  });

  it('does not let mcp_ro create objects, not even temporary ones, or change its role', async () => {
    await using embedded = await EmbeddedPostgres.start({ native, stateDirectory });
    const { Client } = (await import('pg')).default;
    const client = new Client({ ...embedded.reader, options: '-c default_transaction_read_only=off' });
    await client.connect();
    for (const sql of ['create table x ()', 'create temp table x ()', 'create schema x', 'set role postgres', 'create role x'])
      await expect(client.query(sql), sql).rejects.toThrow(/permission denied/);
    await client.end();
    const { password: _, ...nobody } = embedded.superuser;
    await expect(new Client({ ...nobody, password: 'x' }).connect()).rejects.toThrow(/password authentication failed/);
  });

  it('announces each change of its schema, and notifies subscribers', async () => {
    const heard: string[] = [];
    await using source = embeddedSource({ stateDirectory, writable: true });
    await using listener = new SchemaListener(source, ({ kind }) => void heard.push(kind));
    await listener.start();
    await using session = await connect(new PostgresServer(optionsWith({ writable: true })), CONFIRMS);
    const updates = await session.subscribe('pg://postgres/public');
    const { Client } = (await import('pg')).default;
    const client = new Client(await source.writer?.config());
    // If the test fails, the server may end before this client.
    client.on('error', () => undefined);
    await client.connect();
    for (const [index, sql] of SCHEMA_CHANGES.entries()) {
      await client.query(sql);
      // Without the event trigger, polling would report the kind `changed`, and would take longer.
      await vi.waitUntil(() => heard.filter((kind) => kind === 'announced').length > index);
      await session.text('execute', { sql });
      await updates.next();
    }
    await client.end();
    expect(await session.text('search_objects', { pattern: '*mcp*' })).not.toContain('mcp_schema_changed');
  });

  it('lets mcp_rw, which owns the data and is not a superuser, write, and mcp_ro read', async () => {
    const dataDir = path.join(home, 'kept');
    const session = await connect(new PostgresServer(optionsWith({ dataDir, sample: true, writable: true })), CONFIRMS);
    for (const [sql, text] of [
      ["update orders set note = 'changed' where id = 1", 'UPDATE: 1 row, committed'],
      ['alter table customers add column age int', 'ALTER TABLE, committed'],
      ['create schema mine', 'CREATE SCHEMA, committed'],
      ["create table mine.notes as select 'kept' as text", 'SELECT: 1 row, committed'],
      ["alter type order_status add value 'lost'", 'ALTER TYPE, committed'],
    ] as const)
      expect(await session.text('execute', { sql })).toBe(text);
    expect(await session.text('query', { sql: 'select current_user, text from mine.notes' })).toContain('mcp_ro,kept');
    expect(await session.fails('query', { sql: "update orders set note = ''" })).not.toBe('');
    for (const sql of ["do $$ begin perform pg_read_file('/etc/passwd'); end $$", 'create role x', 'set role postgres'])
      expect(await session.fails('execute', { sql }), sql).toMatch(/^(?:PERMISSION|POLICY_DENIED)/);
    await session[Symbol.asyncDispose]();
    await using embedded = await EmbeddedPostgres.start({ native, dataDir });
    const { Client } = (await import('pg')).default;
    await expect(new Client(embedded.writer).connect()).rejects.toThrow(/not permitted to log in|password authentication failed/);
  });

  it.runIf(process.geteuid?.() === 0)('starts for root although other users cannot reach the package', async () => {
    const closed = path.join(home, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await cp(native, path.join(closed, 'native'), { recursive: true });
    await using embedded = await EmbeddedPostgres.start({ native: path.join(closed, 'native') });
    expect(embedded.reader.user).toBe('mcp_ro');
  });

  it('keeps its data in a directory across starts with and without the sample', async () => {
    const dataDir = path.join(home, 'kept');
    for (const sample of [true, false, true]) {
      await using session = await connect(new PostgresServer(optionsWith({ dataDir, sample })));
      expect(await session.text('query', { sql: 'select count(*) from shop.orders' })).toContain('20000');
    }
  });

  it('does not start on a directory that another process uses', async () => {
    const dataDir = path.join(home, 'kept');
    await using first = await EmbeddedPostgres.start({ native, dataDir });
    expect(first.reader.user).toBe('mcp_ro');
    await using session = await connect(new PostgresServer(optionsWith({ dataDir })));
    expect(await session.fails('query', { sql: 'select 1' })).toMatch(
      /^CONNECTION: the embedded PostgreSQL did not start: .*postmaster/,
    );
  });

  it('does not start on a directory with other files', async () => {
    const dataDir = path.join(home, 'photos');
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, 'a.jpg'), '');
    await using session = await connect(new PostgresServer(optionsWith({ dataDir })));
    expect(await session.fails('query', { sql: 'select 1' })).toContain(`${dataDir} was not created by this server`);
    expect(await readdir(dataDir)).toEqual(['a.jpg']);
  });

  it('leaves one complete directory if it is started twice concurrently on a new directory', async () => {
    const dataDir = path.join(home, 'kept');
    const started = await Promise.allSettled([1, 2].map(() => EmbeddedPostgres.start({ native, dataDir })));
    const running = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(running).toHaveLength(1);
    await running[0]?.[Symbol.asyncDispose]();
    await using again = await EmbeddedPostgres.start({ native, dataDir });
    expect(again.reader.user).toBe('mcp_ro');
    expect((await readdir(home)).filter((name) => name.startsWith('kept'))).toEqual(['kept']);
  });
});

describe('the directory of a crashed process', () => {
  it('is removed by the next start, which keeps all other directories', async () => {
    const stale = path.join(home, 'mcp-sql-stale');
    const alive = path.join(home, 'mcp-sql-alive');
    const strange = path.join(home, 'mcp-sql-strange');
    const empty = path.join(home, 'mcp-sql-empty');
    const filled = path.join(home, 'mcp-sql-filled');
    for (const directory of [stale, alive, strange, empty, path.join(filled, 'mine')])
      await mkdir(directory, { recursive: true });
    const minutesAgo = new Date(Date.now() - 120_000);
    for (const directory of [empty, filled]) await utimes(directory, minutesAgo, minutesAgo);
    // Node.js removes a socket that it closes. A killed process leaves its socket.
    const listen = `require('net').createServer().listen(${JSON.stringify(path.join(stale, 'alive'))}, () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', listen]), 'exit');
    expect((await stat(path.join(stale, 'alive'))).isSocket()).toBe(true);
    const server = createServer().listen(path.join(alive, 'alive'));
    await once(server, 'listening');
    await using started = await EmbeddedPostgres.start({ native, stateDirectory });
    await started.prepared();
    const left = await readdir(home);
    expect(left).toEqual(expect.arrayContaining(['mcp-sql-alive', 'mcp-sql-strange', 'mcp-sql-filled']));
    expect(left).not.toContain('mcp-sql-stale');
    expect(left).not.toContain('mcp-sql-empty');
    server.close();
  });
});
