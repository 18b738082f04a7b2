import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { startProgram } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { useDatabase, type TestDatabase } from '../fixtures/postgres.ts';
import { NO_DEBIANS, startDebians } from '../fixtures/servers/installed-postgres.ts';
import { NO_PGBOUNCER, startPgBouncer } from '../fixtures/servers/pgbouncer.ts';
import { startRefusingProxy } from '../fixtures/servers/refusing-proxy.ts';

const BIN = fileURLToPath(new URL('../../bin/mcp-sql.js', import.meta.url));

const SQL = {
  'a sleep': 'select pg_sleep(600) -- $marker$',
  'a join': 'select count(*) /* $marker$ */ from generate_series(1, 1000000) a join generate_series(1, 1000000) b on a * b = -1',
};

const INITIALIZED = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  },
  { method: 'notifications/initialized' },
];

async function active(database: TestDatabase): Promise<string> {
  const [row] = await database.asSuperuser(
    "select count(*) from pg_stat_activity where state = 'active' and query like '%$marker$%' and pid <> pg_backend_pid()",
  );
  return String(row?.[0]);
}

/** Starts the program on a database, kills it during a statement, and waits until the database has ended the statement. */
async function expectGone(database: TestDatabase, url: string, sql: string): Promise<void> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'killed-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const args = [BIN, url, '--policy', 'off', '--statement-timeout', '10m', '--state-dir', stateDir];
  await using program = startProgram({ command: process.execPath, args });
  const call = { id: 2, method: 'tools/call', params: { name: 'query', arguments: { sql } } };
  for (const message of [...INITIALIZED, call]) program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await vi.waitUntil(async () => (await active(database)) === '1', { interval: 10 });
  program.kill('SIGKILL');
  await program.ended;
  await vi.waitUntil(async () => (await active(database)) === '0', { interval: 20 });
}

describe('a process that is killed during a statement', () => {
  const database = useDatabase({});

  it.each(Object.entries(SQL))('does not leave %s running in the database', async (_, sql) => {
    await expectGone(database, database.url(), sql);
  });

  it('does not leave its statement running over TCP', async () => {
    await using proxy = await startRefusingProxy(database.config(), {});
    await expectGone(database, proxy.url, SQL['a sleep']);
  });

  it.skipIf(NO_PGBOUNCER)('does not leave its statement running behind PgBouncer', async () => {
    await using pooler = await startPgBouncer(database.config(), 2);
    await expectGone(database, pooler.url, SQL['a sleep']);
  });
});

describe('a database server without client_connection_check_interval', () => {
  const database = useDatabase({});

  it('is queried with the other settings', async () => {
    await using proxy = await startRefusingProxy(database.config(), { words: ['client_connection_check_interval'] });
    await using session = await database.connect({ url: proxy.url });
    const sql = "select current_setting('default_transaction_read_only'), current_setting('client_connection_check_interval')";
    // The proxy also renames the setting in this query.
    expect(await session.fails('query', { sql })).toContain('client_connection_check_interva0');
    expect(await session.text('query', { sql: 'show statement_timeout' })).toContain('30s');
    const started = "select sourcefile is null and source = 'client' from pg_settings where name = 'lock_timeout'";
    expect(await session.text('query', { sql: started, format: 'tsv' })).toMatch(/^t$/m);
  });
});

describe.skipIf(NO_DEBIANS)("a process that is killed during a statement of Debian's PostgreSQL 15", () => {
  const database = useDatabase({ start: startDebians });

  it('does not leave its statement running', async () => {
    await expectGone(database, database.url(), SQL['a join']);
  });
});
