import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, type TestContext } from 'vitest';

const run = promisify(execFile);
const ALIASING = fileURLToPath(new URL('aliasing.py', import.meta.url));
const PREFIX = `mcp-mount-${process.pid}-`;

/** How a file system is mounted on an empty directory; `place` is a directory for its image. Resolves to what unmounts it. */
export type Mount = (mountpoint: string, place: string) => Promise<() => Promise<void>>;

/** A file system that was mounted; it is unmounted with this. */
interface Mounted extends AsyncDisposable {
  /** The mountpoint, by its real path. */
  readonly directory: string;
}

/** A program and its first arguments. */
type Command = readonly [program: string, ...args: string[]];

/** A tmpfs. */
export function tmpfs(options = 'size=64m'): Mount {
  return (mountpoint) => mounted(mountpoint, ['-t', 'tmpfs', '-o', options, 'tmpfs', mountpoint]);
}

/** An image of its own, formatted by a command that takes its path as the last argument and mounted by a loop device. */
export function image(megabytes: number, make: Command, type: string, options?: string): Mount {
  return async (mountpoint, place) => {
    const file = await formatted(megabytes, make, place);
    return mounted(mountpoint, ['-t', type, '-o', ['loop', options].filter(Boolean).join(','), file, mountpoint]);
  };
}

/** The same, of which every new directory ignores case. */
export function casefoldImage(megabytes: number): Mount {
  return async (mountpoint, place) => {
    const unmount = await image(megabytes, ['mkfs.ext4', '-q', '-F', '-O', 'casefold'], 'ext4')(mountpoint, place);
    try {
      // The mark is for empty directories and inherited by new ones.
      await run('rm', ['-r', path.join(mountpoint, 'lost+found')]);
      await run('chattr', ['+F', mountpoint]);
      return unmount;
    } catch (error) {
      await unmount();
      throw error;
    }
  };
}

/** An image that a program of its own serves by FUSE. */
export function served(megabytes: number, make: Command, serve: Command): Mount {
  return async (mountpoint, place) => {
    const file = await formatted(megabytes, make, place);
    const { stdout } = await run('losetup', ['--find', '--show', file]);
    const device = stdout.trim();
    try {
      await run(serve[0], [...serve.slice(1), device, mountpoint]);
      return () => unmounted(mountpoint);
    } finally {
      // It goes with its last use.
      await run('losetup', ['--detach', device]);
    }
  };
}

/** A FUSE file system that opens one file by several names; `aliasing.py` says what its traits are. */
export function aliasing(...traits: readonly string[]): Mount {
  return async (mountpoint) => {
    const server = spawn('python3', [ALIASING, mountpoint, ...traits], { stdio: ['pipe', 'pipe', 'pipe'] });
    let reason = '';
    server.stderr.on('data', (part: Buffer) => (reason += part.toString()));
    const ended = once(server, 'exit');
    const isReady = await Promise.race([once(server.stdout, 'data').then(() => true), ended.then(() => false)]);
    if (!isReady) throw new Error(reason);
    return async () => {
      server.stdin.end();
      await ended;
    };
  };
}

/**
 * Mounts a file system on a new directory.
 *
 * @throws Error that says why this machine does not mount it
 */
async function mount(how: Mount): Promise<Mounted> {
  await removeLeftBehind();
  const base = await realpath(await mkdtemp(path.join(tmpdir(), PREFIX)));
  const directory = path.join(base, 'mount');
  await mkdir(directory);
  try {
    const unmount = await how(directory, base);
    return {
      directory,
      [Symbol.asyncDispose]: async () => {
        await unmount();
        await rm(base, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(base, { recursive: true, force: true });
    throw new Error(reasonOf(error), { cause: error });
  }
}

/** Returns the reason why this machine does not mount a file system; `undefined` if it mounts it. */
export async function whyNotMounted(how: Mount): Promise<string | undefined> {
  try {
    await (await mount(how))[Symbol.asyncDispose]();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * A file system for all tests of a suite. Where this machine does not mount it, each test is skipped with the reason.
 *
 * @returns for a test, a new directory on it
 */
export function mountForSuite(how: Mount): (context: TestContext) => Promise<string> {
  let held: Mounted | undefined;
  let reason = '';
  beforeAll(async () => {
    try {
      held = await mount(how);
    } catch (error) {
      reason = reasonOf(error);
    }
  });
  afterAll(() => held?.[Symbol.asyncDispose]());
  return async (context) => {
    if (held === undefined) return context.skip(`not mounted here: ${reason}`);
    return mkdtemp(path.join(held.directory, 'test-'));
  };
}

async function formatted(megabytes: number, [program, ...args]: Command, place: string): Promise<string> {
  const file = path.join(place, 'image');
  await writeFile(file, '');
  await truncate(file, megabytes * 1_048_576);
  await run(program, [...args, file]);
  return file;
}

async function mounted(mountpoint: string, args: readonly string[]): Promise<() => Promise<void>> {
  await run('mount', args);
  return () => unmounted(mountpoint);
}

/** Lazily: what a failed test has left open does not keep the mount, and the loop device goes with the last use of it. */
async function unmounted(mountpoint: string): Promise<void> {
  await run('umount', ['-l', mountpoint]);
}

/** What a killed process has mounted goes with the next run. */
async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^mcp-mount-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || (await isRunning(pid))) continue;
    const base = path.join(tmpdir(), name);
    await run('umount', ['-l', path.join(base, 'mount')]).catch(() => undefined);
    await rm(base, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isRunning(pid: string): Promise<boolean> {
  return readFile(`/proc/${pid}/stat`).then(
    () => true,
    () => false,
  );
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error && error.stderr !== '' ? String(error.stderr) : String(error);
  return text.trim().split('\n')[0] ?? '';
}
