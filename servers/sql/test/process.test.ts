import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectProcess, ERAS, REVISIONS } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const BIN = fileURLToPath(new URL('../bin/mcp-sql.js', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [BIN, ...args], { env: { ...process.env, ...env } });
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = start(args, env);
  child.stdin.end();
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

/** A temporary directory for the processes of a test, so that theirs can be told from others'. */
async function temporaryHome(): Promise<string> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'process-')));
  // As root the server runs as somebody else, who has to get here.
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

/** Resolves once the server of the only process in a directory is ready; initdb runs others before. */
async function postmasterIn(home: string): Promise<number> {
  const read = async (): Promise<string> => {
    const [directory = ''] = (await readdir(home)).filter((name) => name.startsWith('mcp-sql-'));
    return readFile(path.join(home, directory, 'server/data/postmaster.pid'), 'utf8').catch(() => '');
  };
  await vi.waitUntil(async () => (await read()).includes('ready'), { timeout: 20_000, interval: 5 });
  return Number.parseInt(await read(), 10);
}

describe.each(ERAS)('the mcp-sql program on a %s connection', (era) => {
  it('lists and calls every tool', async () => {
    const server = { command: process.execPath, args: [BIN, '--sample'] };
    await using session = await connectProcess(server, { era });
    expect(session.client.getNegotiatedProtocolVersion()).toBe(REVISIONS[era]);
    const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      query: { sql: 'select * from orders' },
      describe: { object: 'orders' },
      search_objects: { pattern: 'order' },
      explain: { sql: 'select * from orders' },
      list_databases: {},
    };
    expect(await session.toolNames()).toEqual(Object.keys(calls));
    for (const [name, args] of Object.entries(calls)) expect(await session.text(name, args), name).not.toBe('');
    expect(await session.fails('query', { sql: 'drop table orders' })).toMatch(/^READ_ONLY/);
  });

  it('tells how far a query is, and completes the names of tables', async () => {
    await using session = await connectProcess({ command: process.execPath, args: [BIN, '--sample'] }, { era });
    const messages: (string | undefined)[] = [];
    const sql = "select g, repeat('x', 3000), pg_sleep(case when g = 1 then 1.2 else 0.02 end) from generate_series(1, 60) g";
    await session.call('query', { sql }, { onprogress: ({ message }) => messages.push(message) });
    expect(messages[0]).toMatch(/^waiting for the first row for 1 s/);
    expect(messages.at(-1)).toBe('60 of ~60 rows read');
    const ref = { type: 'ref/resource', uri: 'pg://{database}/{schema}/{table}' } as const;
    const context = { arguments: { schema: 'shop' } };
    const { completion } = await session.client.complete({ ref, argument: { name: 'table', value: 'ord' }, context });
    expect(completion.values).toEqual(['orders', 'order_lines']);
  });

  it('cancels a query in the database', async () => {
    await using session = await connectProcess({ command: process.execPath, args: [BIN] }, { era });
    await session.text('query', { sql: 'select 1' });
    const controller = new AbortController();
    const call = session.client.callTool(
      { name: 'query', arguments: { sql: 'select pg_sleep(600)' } },
      { signal: controller.signal },
    );
    const sleeping = async (): Promise<boolean> =>
      (
        await session.text('query', { sql: "select count(*) || ' sleeping' from pg_stat_activity where wait_event = 'PgSleep'" })
      ).includes('1 sleeping');
    await vi.waitUntil(sleeping, { timeout: 20_000, interval: 5 });
    controller.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await vi.waitUntil(async () => !(await sleeping()), { timeout: 1000, interval: 5 });
  });
});

describe('the mcp-sql command line', () => {
  it('lists what it offers, without a database', async () => {
    const { code, stdout, stderr } = await run(['list']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}query {2,}Run one SQL statement/m);
    expect(stdout).toContain('pg://{database}/{schema}/{table}');
  });

  it('checks the embedded server, and leaves nothing behind', async () => {
    const home = await temporaryHome();
    const { code, stdout } = await run(['check'], { TMPDIR: home });
    expect(stdout).toMatch(/ok {5}database postgres: PostgreSQL 18\.\S+, read-only as mcp_ro/);
    expect(code).toBe(0);
    expect(await readdir(home)).toEqual([]);
  });

  it('says what is wrong with a source', async () => {
    const { code, stdout } = await run(['check', 'postgres://u:hunter2@127.0.0.1:1/db']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/wrong {2}database: .*ECONNREFUSED/);
    expect(stdout).not.toContain('hunter2');
  });

  it.each([
    ['an unknown flag', ['--sampel'], 'did you mean --sample?'],
    ['a number out of range', ['--max-rows', '0'], '--max-rows: must not be less than 1'],
    ['what is not a URL', ['hunter2'], 'the connection URL cannot be used'],
    ['a sample for a given database', ['--sample', 'postgres://u:hunter2@h/db'], 'do not go with a connection URL'],
  ])('exits with 2 and a sentence for %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^ +at |hunter2/m);
  });

  it('takes its options from the environment', async () => {
    const { stdout } = await run(['check'], { MCP_SQL_URL: 'postgres://u:hunter2@127.0.0.1:1/db' });
    expect(stdout).toMatch(/wrong {2}database: .*ECONNREFUSED/);
  });
});

describe('the mcp-sql process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s, and so does its server', async (signal) => {
    const home = await temporaryHome();
    const child = start([], { TMPDIR: home });
    const postmaster = await postmasterIn(home);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(isRunning(postmaster)).toBe(false);
    expect(await readdir(home)).toEqual([]);
  });

  it('killed by SIGKILL leaves no server and no data, and nothing at all after the next start', async () => {
    const home = await temporaryHome();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN],
      env: { ...(process.env as Record<string, string>), TMPDIR: home },
    });
    await transport.start();
    const pid = transport.pid!;
    const postmaster = await postmasterIn(home);
    expect(isRunning(postmaster)).toBe(true);
    process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => !isRunning(postmaster), { timeout: 5000, interval: 5 });
    const data = path.join(home, (await readdir(home))[0] ?? '', 'server/data');
    await vi.waitUntil(() => !existsSync(data), { timeout: 5000, interval: 5 });
    expect((await run(['check'], { TMPDIR: home })).code).toBe(0);
    expect(await readdir(home)).toEqual([]);
  });

  it('killed by SIGKILL in the middle of a query leaves no server either', async () => {
    const home = await temporaryHome();
    const child = start([], { TMPDIR: home });
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
    for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    let heard = '';
    for await (const chunk of child.stdout) {
      heard += String(chunk);
      if (heard.includes('"id":2')) break;
    }
    child.kill('SIGKILL');
    await vi.waitUntil(() => !isRunning(postmaster), { timeout: 5000, interval: 5 });
  });
});
