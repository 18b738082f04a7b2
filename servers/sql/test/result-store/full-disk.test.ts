import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connectProcess, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { useApp } from '../fixtures/app.ts';
import { failureOf } from '../fixtures/failure-of.ts';

const database = useApp();

let directory = '';
let mounted = false;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'full-'));
  await mkdir(path.join(directory, 'small'));
  mounted = mount(path.join(directory, 'small'));
});
afterAll(async () => {
  if (mounted) execFileSync('umount', [path.join(directory, 'small')]);
  await rm(directory, { recursive: true, force: true });
});

const NO_MOUNT = 'this user may not mount a small file system';

/** Mounts a file system of two megabytes; returns `false` if this user may not mount. */
function mount(at: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', at], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Arguments with which `sh` limits the files of a program to 4,096 blocks, which are 2 or 4 MiB depending on the shell. A write
 * fails in the middle of a file, as on a full disk.
 */
const BOUNDED = ['-c', 'ulimit -f 4096 && exec "$@"', 'sh'];

interface Fullness {
  readonly name: string;
  readonly reason: string;
  readonly start: () => Promise<Session>;
}

const FULL: readonly Fullness[] = [
  {
    name: 'a file that may not be as long',
    reason: 'EFBIG',
    start: () => {
      const { command, args } = database.programAsApp({ stateDir: path.join(directory, 'bounded') });
      return connectProcess({ command: 'sh', args: [...BOUNDED, command, ...args, '--max-connections', '1'] });
    },
  },
  {
    name: 'a full file system',
    reason: 'ENOSPC',
    start: () => {
      const { command, args } = database.programAsApp({ stateDir: path.join(directory, 'small') });
      return connectProcess({ command, args: [...args, '--max-connections', '1'] });
    },
  },
];

const ROWS = "select g, repeat('x', 1000) from generate_series(1, 50000) g";

function pidOf({ client }: Session): number {
  return Number(Reflect.get(client.transport ?? {}, 'pid'));
}

/** Returns the total size of open files of a process that no longer have a name. */
async function namelessBytes(session: Session): Promise<number> {
  const descriptors = `/proc/${pidOf(session)}/fd`;
  const sizes = (await readdir(descriptors)).map(async (fd) => {
    const file = path.join(descriptors, fd);
    const target = await readlink(file).catch(() => '');
    if (!target.startsWith(directory) || !target.endsWith(' (deleted)')) return 0;
    // The descriptor may have been closed since the directory was listed.
    return await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Returns the number of sessions of the role `app` that are not idle. */
async function running(): Promise<string | null | undefined> {
  const [row] = await database.asSuperuser("select count(*) from pg_stat_activity where usename = 'app' and state <> 'idle'");
  return row?.[0];
}

describe.skipIf(process.platform !== 'linux').each(FULL)('on Linux, $name', ({ start, reason }) => {
  it.for([
    ['an export by COPY', { sql: ROWS }],
    ['an export by rows', { sql: ROWS, format: 'ndjson' }],
  ] as const)('ends %s with NO_SPACE, and leaves no data', async ([, args], { skip }) => {
    skip(reason === 'ENOSPC' && !mounted, NO_MOUNT);
    await using session = await start();
    const { code, text } = await failureOf(session, 'export', args);
    expect([code, text]).toEqual([
      'NO_SPACE',
      expect.stringContaining(`could not keep the rows in its state directory (${reason})`),
    ]);
    await expectNothingLeft(session);
  });

  it('ends a stored result with NO_SPACE when its rows are read, and leaves no data', async ({ skip }) => {
    skip(reason === 'ENOSPC' && !mounted, NO_MOUNT);
    await using session = await start();
    const { _meta: facts } = await session.call('query', { sql: ROWS, keep: true });
    const { handle } = facts as { handle: string };
    await vi.waitUntil(async () => (await running()) === '0', { interval: 10 });
    for (const offset of [40_000, 0])
      expect(await failureOf(session, 'fetch_result', { handle, offset })).toMatchObject({ code: 'NO_SPACE' });
    await expectNothingLeft(session);
  });
});

async function expectNothingLeft(session: Session): Promise<void> {
  await vi.waitUntil(async () => (await namelessBytes(session)) === 0, { interval: 10 });
  expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  await vi.waitUntil(async () => (await running()) === '0', { interval: 10 });
  const { structuredContent } = await session.call('export', { sql: 'select 42' });
  expect(structuredContent).toMatchObject({ rows: 1 });
}
