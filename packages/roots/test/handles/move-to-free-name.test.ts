import { linkSync, realpathSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { moveToFreeName } from '../../src/handles/move-to-free-name.ts';
import { SYNCHRONOUS_CALLS, POOLED_CALLS, type FileSystemCalls } from '../../src/pinning/file-system-calls.ts';
import { temporaryDirectory } from '../fixtures.ts';

/** Returns calls that simulate macOS and FreeBSD, where a hard link to a symbolic link is a hard link to its target. */
function followingLink(calls: FileSystemCalls): FileSystemCalls {
  return { ...calls, link: (from, to) => linkSync(realpathSync(from), to) };
}

interface Platform {
  readonly platform: NodeJS.Platform;
  readonly calls: FileSystemCalls;
}

const PLATFORMS: readonly (readonly [name: string, platform: Platform])[] = [
  ['Linux', { platform: 'linux', calls: SYNCHRONOUS_CALLS }],
  ['Linux, with pooled calls', { platform: 'linux', calls: POOLED_CALLS }],
  ['Windows', { platform: 'win32', calls: SYNCHRONOUS_CALLS }],
  ['macOS', { platform: 'darwin', calls: followingLink(SYNCHRONOUS_CALLS) }],
  ['macOS, with pooled calls', { platform: 'darwin', calls: followingLink(POOLED_CALLS) }],
  ['FreeBSD', { platform: 'freebsd', calls: followingLink(SYNCHRONOUS_CALLS) }],
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

describe.each(PLATFORMS)('moveToFreeName on %s', (_, { platform, calls }) => {
  it('moves a link to a file outside without giving that file a name inside', async () => {
    const { root, secret } = await scene();
    await moveToFreeName(calls, path.join(root, 'link'), path.join(root, 'moved'), platform);
    expect(await readlink(path.join(root, 'moved'))).toBe(secret);
    expect((await readdir(root)).sort()).toEqual(['directory', 'file', 'moved']);
    expect((await lstat(secret)).nlink).toBe(1);
  });

  it('moves files and directories', async () => {
    const { root } = await scene();
    const before = await lstat(path.join(root, 'file'));
    await moveToFreeName(calls, path.join(root, 'file'), path.join(root, 'directory/moved'), platform);
    await moveToFreeName(calls, path.join(root, 'directory'), path.join(root, 'other'), platform);
    expect(await readFile(path.join(root, 'other/moved'), 'utf8')).toBe('content');
    expect((await lstat(path.join(root, 'other/moved'))).ino).toBe(before.ino);
  });

  it.each(['file', 'link', 'directory'])('fails instead of replacing an existing entry with a %s', async (name) => {
    const { root } = await scene();
    const taken = path.join(root, 'taken');
    await writeFile(taken, 'taken');
    await expect(moveToFreeName(calls, path.join(root, name), taken, platform)).rejects.toThrow('EEXIST');
    expect(await readFile(taken, 'utf8')).toBe('taken');
    expect((await readdir(root)).sort()).toEqual(['directory', 'file', 'link', 'taken']);
  });

  it('leaves no file behind if it fails', async () => {
    const { root } = await scene();
    const failing: FileSystemCalls = {
      ...calls,
      link: fail,
      rename: fail,
    };
    await expect(moveToFreeName(failing, path.join(root, 'file'), path.join(root, 'moved'), platform)).rejects.toThrow('EIO');
    expect((await readdir(root)).sort()).toEqual(['directory', 'file', 'link']);
  });
});

function fail(): never {
  throw Object.assign(new Error('EIO: the disk failed'), { code: 'EIO' });
}
