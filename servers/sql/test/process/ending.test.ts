import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { startProgram, type RunningProgram } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { GONE } from '../fixtures/postgres.ts';

const BIN = fileURLToPath(new URL('../../bin/mcp-sql.js', import.meta.url));

const FIRST_MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'query', arguments: { sql: 'select 1' } } },
];

/** Creates a directory for the temporary files of the processes of a test. */
async function temporaryHome(): Promise<string> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'ending-')));
  // If root runs the test, the embedded server runs as another user, who must be able to enter this directory.
  await chmod(home, 0o755);
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  return home;
}

function start(home: string): RunningProgram {
  const args = [BIN, '--state-dir', path.join(home, 'state')];
  return startProgram({ command: process.execPath, args, env: { TMPDIR: home } });
}

/** Resolves once a process has answered a query, so that its database runs. */
async function answered(program: RunningProgram): Promise<void> {
  for (const message of FIRST_MESSAGES) program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await program.stdout.next((line) => line.includes('"id":2'));
}

async function runDirectories(home: string): Promise<readonly string[]> {
  return (await readdir(home)).filter((name) => name.startsWith('mcp-sql-'));
}

/** Resolves once a process has created its directory and, in this directory, the socket that shows that the process is alive. */
async function begun(home: string): Promise<void> {
  const isBegun = async (): Promise<boolean> =>
    (await runDirectories(home)).some((name) => existsSync(path.join(home, name, 'alive')));
  await vi.waitUntil(isBegun, { ...GONE, interval: 1 });
}

function commandLines(): string {
  return execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' });
}

function processesBelow(pid: number): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): readonly number[] =>
    parents.filter(([, of]) => of === parent).flatMap(([child = 0]) => [child, ...below(child)]);
  return below(pid);
}

/** Sends SIGTERM to a process, which may have ended meanwhile because its parent got the signal first. */
function sendTermination(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}

describe('mcp-sql with the embedded PostgreSQL', () => {
  it('ends with 0 and leaves nothing if a signal arrives twice at once', async () => {
    const home = await temporaryHome();
    await using program = start(home);
    await answered(program);
    program.kill('SIGTERM');
    program.kill('SIGINT');
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(await runDirectories(home)).toEqual([]);
  });

  it('ends with 0 and leaves nothing if the processes that it started get the signal, too', async () => {
    const home = await temporaryHome();
    await using program = start(home);
    await answered(program);
    for (const pid of processesBelow(program.pid ?? 0)) sendTermination(pid);
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(await runDirectories(home)).toEqual([]);
  });

  it('ends with 0 and leaves nothing if the signal arrives while it starts', async () => {
    const home = await temporaryHome();
    await using program = start(home);
    await begun(home);
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(await runDirectories(home)).toEqual([]);
  });

  it.each<[string, (program: RunningProgram, home: string) => Promise<unknown>]>([
    ['while it starts', (_, home) => begun(home)],
    ['while it serves', (program) => answered(program)],
    [
      'while it ends',
      async (program) => {
        await answered(program);
        program.kill('SIGTERM');
        await program.stderr.next((line) => line.includes('SIGTERM: closing'));
      },
    ],
  ])('removes at its start the files of a process that was killed %s', async (_, reached) => {
    const home = await temporaryHome();
    await using killed = start(home);
    await reached(killed, home);
    const left = await runDirectories(home);
    killed.kill('SIGKILL');
    await killed.ended;
    await vi.waitUntil(() => !commandLines().includes(home), GONE);
    await using next = start(home);
    await answered(next);
    await vi.waitUntil(async () => !(await runDirectories(home)).some((name) => left.includes(name)), GONE);
  });
});
