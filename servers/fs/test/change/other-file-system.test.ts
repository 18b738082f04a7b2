import { spawnSync } from 'node:child_process';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { connectFiles, temporaryDirectory } from '../fixtures/temporary.ts';

/** Whether the tests may mount a file system: only root may, and not in every container. */
const CAN_MOUNT =
  process.platform === 'linux' && spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** Mounts two file systems whose files have equal inode numbers. Returns the directories on which they are mounted. */
async function twins(): Promise<readonly [string, string]> {
  const base = await temporaryDirectory();
  const made = ['one', 'other'].map((name) => path.join(base, name));
  for (const directory of made) {
    await mkdir(directory);
    run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory);
    onTestFinished(() => run('umount', directory));
    await writeFile(path.join(directory, 'report.txt'), path.basename(directory));
  }
  const [one = '', other = ''] = made;
  expect((await stat(one)).ino).toBe((await stat(other)).ino);
  expect((await stat(path.join(one, 'report.txt'))).ino).toBe((await stat(path.join(other, 'report.txt'))).ino);
  return [one, other];
}

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}

describe.runIf(CAN_MOUNT)('a move to another file system with equal inode numbers (needs a superuser who can mount)', () => {
  it.each([
    ['a name that is taken', 'report.txt', { overwrite: true }],
    ['a name that is free', 'new.txt', {}],
  ])('fails with IO, to %s', async (_, name, options) => {
    const [one, other] = await twins();
    await using session = await connectFiles({ directories: [one, other] });
    await writeFile(path.join(one, name), 'new');
    if (name === 'new.txt') await writeFile(path.join(one, 'new.txt'), 'new');
    const before = await readdir(other);
    const text = await session.fails('move_file', { source: `${one}/${name}`, destination: `${other}/${name}`, ...options });
    expect(text).toMatch(/^IO: .*another file system/);
    expect(await readdir(one)).toContain(name);
    expect(await readdir(other)).toEqual(before);
  });
});
