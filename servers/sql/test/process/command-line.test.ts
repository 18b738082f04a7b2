import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, ERAS, REVISIONS, runProgram, startProgram } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { GONE } from '../fixtures/postgres.ts';

const BIN = fileURLToPath(new URL('../../bin/mcp-sql.js', import.meta.url));

function mcpSql(...args: readonly string[]): { readonly command: string; readonly args: string[] } {
  return { command: process.execPath, args: [BIN, ...args] };
}

/** Creates a temporary directory for the processes of a test, so that a test finds only its own processes. */
async function temporaryHome(): Promise<string> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'process-')));
  // If root runs the test, the server runs as another user, who needs access.
  await chmod(home, 0o755);
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Waits until the PostgreSQL server of the only program in a directory is ready, and resolves to its process id. Reads the
 * process id from postmaster.pid, because initdb starts other server processes before.
 */
async function postmasterIn(home: string): Promise<number> {
  const read = async (): Promise<string> => {
    const [directory = ''] = (await readdir(home)).filter((name) => name.startsWith('mcp-sql-'));
    return readFile(path.join(home, directory, 'server/data/postmaster.pid'), 'utf8').catch(() => '');
  };
  await vi.waitUntil(async () => (await read()).includes('ready'), { interval: 5 });
  return Number.parseInt(await read(), 10);
}

const WITH_STATUS = `---
description: Orders with a status
params:
  status: Such as paid
---
select id from orders where status = $1`;

/** Calls of tools of the set `extra`. */
const EXTRA_CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['advise_indexes', { sql: 'select * from order_lines where quantity = 3' }],
  ['er_diagram', {}],
  ['generate_types', {}],
  ['profile_column', { table: 'customers', column: 'country' }],
  ['compare_schemas', { schema: 'shop', other_schema: 'public' }],
  ['run_maintenance', { action: 'analyze', table: 'orders', dry_run: true }],
  ['import', { table: 'products', columns: ['id', 'name', 'price'], rows: [['1001', 'A', '2']], dry_run: true }],
];

describe.each(ERAS)('the mcp-sql program on a %s connection', (era) => {
  it('lists and calls every tool', async () => {
    const server = mcpSql('--sample');
    await using session = await connectProcess(server, { era });
    expect(session.client.getNegotiatedProtocolVersion()).toBe(REVISIONS[era]);
    const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      query: { sql: 'select * from orders' },
      describe: { object: 'orders' },
      search_objects: { pattern: 'order' },
      explain: { sql: 'select * from orders' },
      list_databases: {},
      health: {},
      top_queries: {},
      activity: {},
      export: { sql: 'select * from orders' },
    };
    expect(new Set(await session.toolNames())).toEqual(new Set([...Object.keys(calls), 'cancel', 'fetch_result']));
    for (const [name, args] of Object.entries(calls)) expect(await session.text(name, args), name).not.toBe('');
    expect(await session.fails('query', { sql: 'drop table orders' })).toMatch(/^READ_ONLY/);
    expect(await session.fails('cancel', { pid: 1 })).toMatch(/^NOT_FOUND/);
    expect(await session.fails('fetch_result', { handle: 'x' })).toMatch(/^HANDLE_EXPIRED/);
    expect(await session.fails('query', { sql: 'select pg_sleep(1)' })).toMatch(/^POLICY_DENIED/);
    expect(await session.fails('query', { sql: `select ${'(select '.repeat(4000)}` })).toMatch(/^TOO_LARGE/);
    expect(await session.text('query', { sql: 'select lower($1)', params: ['WHOLE'] })).toContain('whole');
  });

  it('serves saved queries, all tools, writes, resources, prompts and subscriptions with all options enabled', async () => {
    const queries = await temporaryHome();
    await writeFile(path.join(queries, 'with_status.sql'), WITH_STATUS);
    await using session = await connectProcess(mcpSql('--sample', '--writable', '--tools', 'all', '--queries', queries), { era });
    await vi.waitUntil(async () => (await session.toolNames()).includes('with_status'), { interval: 50 });
    expect(await session.text('with_status', { status: 'paid' })).toContain('100 rows');
    for (const [name, args] of EXTRA_CALLS) expect(await session.text(name, args), name).not.toBe('');
    const { _meta: kept } = await session.call('query', { sql: 'select * from orders', max_rows: 5, keep: true });
    const { handle } = kept as { readonly handle: string };
    expect(await session.text('fetch_result', { handle, offset: 5, max_rows: 2 })).toMatch(/^6,.*\n7,/m);
    const { structuredContent: file } = await session.call('export', { handle, format: 'ndjson' });
    const { contents } = await session.client.readResource({ uri: (file as { readonly uri: string }).uri });
    expect(contents).toHaveLength(1);

    await using updates = await session.subscribe('pgquery://with_status');
    await writeFile(path.join(queries, 'with_status.sql'), `${WITH_STATUS} order by id`);
    await updates.next();
    const write = { sql: "update orders set note = 'x' where id = 1" };
    const { structuredContent: preview } = await session.call('execute', { ...write, dry_run: true });
    expect(preview).toMatchObject({ affected: 1 });
    const { confirm_token } = preview as { readonly confirm_token: string };
    expect(await session.text('execute', { ...write, confirm_token })).toMatch(/^UPDATE: 1 row, committed/);
    const { messages } = await session.client.getPrompt({ name: 'explore_database' });
    expect(messages.length).toBeGreaterThan(1);
  });

  it('reports the progress of a query, and completes names of tables', async () => {
    await using session = await connectProcess(mcpSql('--sample', '--policy', 'off'), { era });
    const sql = "select g, repeat('x', 200), pg_sleep(case when g = 1 then 2.4 else 0.02 end) from generate_series(1, 60) g";
    await session.text('query', { sql: 'select 1' });
    const { progress, result } = session.start('query', { sql });
    await result;
    const messages = progress.all.map(({ message }) => message);
    expect(messages[0]).toMatch(/^waiting for the first row for \d s/);
    expect(messages.at(-1)).toBe('60 of ~60 rows read');
    const ref = { type: 'ref/resource', uri: 'pg://{database}/{schema}/{table}' } as const;
    const context = { arguments: { schema: 'shop' } };
    const { completion } = await session.client.complete({ ref, argument: { name: 'table', value: 'ord' }, context });
    expect(completion.values).toEqual(['orders', 'order_lines']);
  });

  it('cancels a query in the database', async () => {
    await using session = await connectProcess(mcpSql('--policy', 'off'), { era });
    await session.text('query', { sql: 'select 1' });
    const call = session.start('query', { sql: 'select pg_sleep(600)' });
    const sleeping = async (): Promise<boolean> =>
      (
        await session.text('query', { sql: "select count(*) || ' sleeping' from pg_stat_activity where wait_event = 'PgSleep'" })
      ).includes('1 sleeping');
    await vi.waitUntil(sleeping, { interval: 5 });
    call.cancel('enough');
    await expect(call.result).rejects.toThrow('enough');
    await vi.waitUntil(async () => !(await sleeping()), GONE);
  });
});

describe('the mcp-sql command line', () => {
  it('lists its tools without a database', async () => {
    const { code, stdout, stderr } = await runProgram(mcpSql('list'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}query {2,}Run one SQL statement/m);
    expect(stdout).toContain('pg://{database}/{schema}/{table}');
  });

  it('checks the embedded server, and leaves nothing behind', async () => {
    const home = await temporaryHome();
    const { code, stdout } = await runProgram({ ...mcpSql('check'), env: { TMPDIR: home } });
    expect(stdout).toMatch(/ok {5}database postgres: PostgreSQL 18\.\S+, read-only as mcp_ro/);
    expect(code).toBe(0);
    expect(await readdir(home)).toEqual([]);
  });

  it('reports the error of a source', async () => {
    const { code, stdout } = await runProgram(mcpSql('check', 'postgres://u:hunter2@127.0.0.1:1/db'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/wrong {2}database db: .*ECONNREFUSED/);
    expect(stdout).not.toContain('hunter2');
  });

  it.each([
    ['an unknown flag', ['--sampel'], 'did you mean --sample?'],
    ['a number out of range', ['--max-rows', '0'], '--max-rows: must not be less than 1'],
    ['an invalid URL', ['hunter2'], 'the connection URL cannot be used'],
    ['an invalid policy', ['--policy', 'strct'], '--policy: must be one of'],
    ['a file as folder of queries', ['--queries', BIN], `${BIN} is not a directory`],
    ['a database without an id', ['--database', 'postgres://u:hunter2@h/db'], '--database requires ID=URL'],
    [
      'a mask of a database that is not served',
      ['--sample', '--mask', 'crm:a.b.c'],
      'there is no database "crm"; available: postgres',
    ],
    ['a mask without a table', ['--sample', '--mask', 'email'], '--mask "email" cannot be used'],
    ['a sample for a given database', ['--sample', 'postgres:// u:hunter2@h/db'], 'cannot be combined with a connection URL'],
  ])('exits with 2 and an explanation for %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await runProgram(mcpSql(...args));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^ +at |hunter2/m);
  });

  it('reads its options from the environment', async () => {
    const { stdout } = await runProgram({ ...mcpSql('check'), env: { MCP_SQL_URL: 'postgres://u:hunter2@127.0.0.1:1/db' } });
    expect(stdout).toMatch(/wrong {2}database db: .*ECONNREFUSED/);
  });
});

describe('the mcp-sql process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s, and its database server ends too', async (signal) => {
    const home = await temporaryHome();
    await using running = startProgram({ ...mcpSql(), env: { TMPDIR: home } });
    const postmaster = await postmasterIn(home);
    running.kill(signal);
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(isRunning(postmaster)).toBe(false);
    expect(await readdir(home)).toEqual([]);
  });

  it('leaves nothing of the started server if the options are invalid', async () => {
    const home = await temporaryHome();
    const { code } = await runProgram({ ...mcpSql('--log-level', 'loud'), env: { TMPDIR: home } });
    expect(code).toBe(2);
    expect(await readdir(home)).toEqual([]);
  });

  it('leaves no server and no data if it is killed by SIGKILL, and no file after the next start', async () => {
    const home = await temporaryHome();
    await using running = startProgram({ ...mcpSql(), env: { TMPDIR: home } });
    const postmaster = await postmasterIn(home);
    expect(isRunning(postmaster)).toBe(true);
    running.kill('SIGKILL');
    await vi.waitUntil(() => !isRunning(postmaster), { interval: 5 });
    const data = path.join(home, (await readdir(home))[0] ?? '', 'server/data');
    await vi.waitUntil(() => !existsSync(data), { interval: 5 });
    expect((await runProgram({ ...mcpSql('check'), env: { TMPDIR: home } })).code).toBe(0);
    expect(await readdir(home)).toEqual([]);
  });

  it('leaves no server if it is killed by SIGKILL in the middle of a query', async () => {
    const home = await temporaryHome();
    await using running = startProgram({ ...mcpSql('--policy', 'off'), env: { TMPDIR: home } });
    const postmaster = await postmasterIn(home);
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'query', arguments: { sql: 'select 1' } } },
      { id: 3, method: 'tools/call', params: { name: 'query', arguments: { sql: 'select pg_sleep(600)' } } },
    ];
    for (const message of messages) running.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    await running.stdout.next((line) => line.includes('"id":2'));
    running.kill('SIGKILL');
    await vi.waitUntil(() => !isRunning(postmaster), { interval: 5 });
  });
});
