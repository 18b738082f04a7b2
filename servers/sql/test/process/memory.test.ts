import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { connectProcess, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { useDatabase } from '../fixtures/postgres.ts';

const database = useDatabase({});

const BIN = fileURLToPath(new URL('../../bin/mcp-sql.js', import.meta.url));

/** Number of rows. For a thorough run, set `MCP_TEST_ROWS=10000000`. */
const ROWS = Number(process.env['MCP_TEST_ROWS'] ?? 300_000);
const LIMIT_MIB = 120;
const TIMEOUT_MS = 60_000 + ROWS / 50;

const SQL = `select generate_series(1, ${ROWS}) as id, 'customer' as name, now() as at, 1.25 as amount`;

async function program(...options: readonly string[]): Promise<{ readonly command: string; readonly args: string[] }> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'state-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const limits = ['--max-stored-bytes', '16gb', '--statement-timeout', '1h', '--state-dir', stateDir];
  return { command: process.execPath, args: [BIN, database.url(), ...limits, ...options] };
}

/** Returns the memory of a process in MiB, now or at its peak. */
async function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

function pidOf({ client }: Session): number {
  const pid: unknown = Reflect.get(client.transport ?? {}, 'pid');
  return Number(pid);
}

/**
 * Number of copies of a result in memory until the client has read it: lines, text, fenced text, message, encoded message, and
 * one copy that is not collected yet.
 */
const COPIES = 6;
const CALLS = 20;

const running =
  "select count(*) from pg_stat_activity where query like '%''customer'' as name%' and state = 'active' and pid <> pg_backend_pid()";

describe.skipIf(process.platform !== 'linux')(`with ${ROWS} rows, the memory of a server (from /proc, on Linux)`, () => {
  it.each([
    ['an export by COPY', 'export', { sql: SQL }],
    ['an export by rows', 'export', { sql: SQL, format: 'ndjson' }],
    ['a kept result', 'query', { sql: SQL, keep: true }],
  ])(
    `grows by less than ${LIMIT_MIB} MiB for %s`,
    async (_, name, args) => {
      await using session = await connectProcess(await program());
      await session.text('query', { sql: 'select 1' });
      const idle = await memoryOf(pidOf(session), 'VmRSS');
      const { structuredContent, _meta: facts } = await session.call(name, args, { timeout: TIMEOUT_MS });
      const { handle, rows } = (structuredContent ?? facts) as { handle?: string; rows?: number };
      const kept =
        handle === undefined
          ? undefined
          : await session.call('fetch_result', { handle, offset: ROWS - 1 }, { timeout: TIMEOUT_MS });
      const { total_rows } = (kept?._meta ?? {}) as { total_rows?: number };
      expect(rows ?? total_rows).toBe(ROWS);
      expect((await memoryOf(pidOf(session), 'VmHWM')) - idle).toBeLessThan(LIMIT_MIB);
    },
    TIMEOUT_MS,
  );

  it(
    `grows by less than ${LIMIT_MIB} MiB while its client reads nothing, and the client receives all results when it reads`,
    async () => {
      const { command, args } = await program('--max-bytes', '8388608');
      const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      onTestFinished(() => void server.kill('SIGKILL'));
      const send = (message: object): void => void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      const call = (id: number, name: string, given: object): void =>
        send({ id, method: 'tools/call', params: { name, arguments: given, _meta: { progressToken: id } } });
      const lines = createInterface(server.stdout);
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'stalled', version: '1' } };
      send({ id: 0, method: 'initialize', params });
      await once(lines, 'line');
      send({ method: 'notifications/initialized' });
      // The first query loads code, which is not the memory of a result.
      send({ id: 4, method: 'tools/call', params: { name: 'query', arguments: { sql: 'select 1' } } });
      await once(lines, 'line');
      server.stdout.pause();
      const idle = await memoryOf(server.pid!, 'VmRSS');
      call(1, 'query', { sql: SQL, max_rows: 10_000 });
      call(2, 'query', { sql: SQL, keep: true });
      call(3, 'export', { sql: SQL });
      await vi.waitUntil(async () => (await database.asSuperuser(running))[0]?.[0] !== '0', { timeout: TIMEOUT_MS, interval: 5 });
      await vi.waitUntil(async () => (await database.asSuperuser(running))[0]?.[0] === '0', {
        timeout: TIMEOUT_MS,
        interval: 20,
      });
      expect((await memoryOf(server.pid!, 'VmHWM')) - idle).toBeLessThan(LIMIT_MIB);
      const results = new Set<number>();
      lines.on('line', (line) => {
        const { id, result } = JSON.parse(line) as { id?: number; result?: { isError?: boolean } };
        if (id !== undefined && result?.isError !== true) results.add(id);
      });
      server.stdout.resume();
      await vi.waitUntil(() => results.size === 3, { timeout: TIMEOUT_MS, interval: 10 });
    },
    TIMEOUT_MS,
  );

  it.each([
    ['default', 20_000, []],
    ['allowed', 1_048_576, ['--max-bytes', '1048576']],
    ['largest', 8_388_608, ['--max-bytes', '8388608']],
  ])(
    `grows by less than ${LIMIT_MIB} MiB and ${COPIES} times their bytes for ${CALLS} results at once, each of the %s size`,
    async (_, bytes, options) => {
      await using session = await connectProcess(await program(...options));
      await session.text('query', { sql: 'select 1' });
      const idle = await memoryOf(pidOf(session), 'VmRSS');
      const sql = "select repeat('x', 1000) from generate_series(1, 9000)";
      const answers = Array.from({ length: CALLS }, () =>
        session.call('query', { sql, max_rows: 10_000 }, { timeout: TIMEOUT_MS }),
      );
      for (const { _meta: facts } of await Promise.all(answers)) {
        expect(facts).toMatchObject({ truncated: 'bytes' });
        expect(Math.round((facts as { row_count: number }).row_count / (bytes / 1001))).toBe(1);
      }
      const grown = (await memoryOf(pidOf(session), 'VmHWM')) - idle;
      expect(grown).toBeLessThan(LIMIT_MIB + (COPIES * CALLS * bytes) / 1_048_576);
    },
    2 * TIMEOUT_MS,
  );
});
