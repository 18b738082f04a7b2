import { linkSync, realpathSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { moveToFree } from '../../src/handles/move-to-free.ts';
import { DIRECT, POOLED, type Calls } from '../../src/hold/calls.ts';
import { temporaryDirectory } from '../ground.ts';

/** As macOS and FreeBSD have it: a second name of a symbolic link is one of what the link leads to. */
function followingLink(calls: Calls): Calls {
  return { ...calls, link: (from, to) => linkSync(realpathSync(from), to) };
}

interface Platform {
  readonly platform: NodeJS.Platform;
  readonly calls: Calls;
}

const PLATFORMS: readonly (readonly [name: string, platform: Platform])[] = [
  ['Linux', { platform: 'linux', calls: DIRECT }],
  ['Linux, in the background', { platform: 'linux', calls: POOLED }],
  ['Windows', { platform: 'win32', calls: DIRECT }],
  ['macOS', { platform: 'darwin', calls: followingLink(DIRECT) }],
  ['macOS, in the background', { platform: 'darwin', calls: followingLink(POOLED) }],
  ['FreeBSD', { platform: 'freebsd', calls: followingLink(DIRECT) }],
];

async function scene(): Promise<{ readonly root: string; readonly secret: string }> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'root');
  const secret = path.join(base, 'secret');
  await mkdir(root);
  await writeFile(secret, 'SECRET');
  await symlink(secret, path.join(root, 'link'));
  await writeFile(path.join(root, 'file'), 'content');
  await mkdir(path.join(root, 'directory'));
  return { root, secret };
}

describe.each(PLATFORMS)('a move to a free name on %s', (_, { platform, calls }) => {
  it('moves a link out itself, and gives the file outside no name inside', async () => {
    const { root, secret } = await scene();
    await moveToFree(calls, path.join(root, 'link'), path.join(root, 'moved'), platform);
    expect(await readlink(path.join(root, 'moved'))).toBe(secret);
    expect((await readdir(root)).sort()).toEqual(['directory', 'file', 'moved']);
    expect((await lstat(secret)).nlink).toBe(1);
  });

  it('moves files and directories', async () => {
    const { root } = await scene();
    const before = await lstat(path.join(root, 'file'));
    await moveToFree(calls, path.join(root, 'file'), path.join(root, 'directory/moved'), platform);
    await moveToFree(calls, path.join(root, 'directory'), path.join(root, 'other'), platform);
    expect(await readFile(path.join(root, 'other/moved'), 'utf8')).toBe('content');
    expect((await lstat(path.join(root, 'other/moved'))).ino).toBe(before.ino);
  });

  it.each(['file', 'link', 'directory'])('replaces nothing by a %s', async (name) => {
    const { root } = await scene();
    const taken = path.join(root, 'taken');
    await writeFile(taken, 'taken');
    await expect(moveToFree(calls, path.join(root, name), taken, platform)).rejects.toThrow('EEXIST');
    expect(await readFile(taken, 'utf8')).toBe('taken');
    expect((await readdir(root)).sort()).toEqual(['directory', 'file', 'link', 'taken']);
  });

  it('leaves nothing behind where it fails', async () => {
    const { root } = await scene();
    const failing: Calls = {
      ...calls,
      link: fail,
      rename: fail,
    };
    await expect(moveToFree(failing, path.join(root, 'file'), path.join(root, 'moved'), platform)).rejects.toThrow('EIO');
    expect((await readdir(root)).sort()).toEqual(['directory', 'file', 'link']);
  });
});

function fail(): never {
  throw Object.assign(new Error('EIO: the disk failed'), { code: 'EIO' });
}
