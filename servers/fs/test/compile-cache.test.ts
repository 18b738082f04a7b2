import { chmod, chown, cp, mkdir, readdir, stat } from 'node:fs/promises';
import nodeModule from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { BOUND_BY_PERMISSIONS, giveToBound } from './fixtures/nobody.ts';
import { temporaryDirectory } from './fixtures/temporary.ts';

const BUNDLE = fileURLToPath(new URL('../bundle', import.meta.url));
/** Whether Node.js has a compile cache, which Node.js 20 lacks. */
const HAS_CACHE = 'enableCompileCache' in nodeModule;

/** Copies the bundle without its cache. */
async function copyBundle(): Promise<string> {
  const bundle = path.join(await temporaryDirectory(), 'bundle');
  await cp(BUNDLE, bundle, { recursive: true, filter: (file) => !file.includes('compile-cache') });
  return bundle;
}

/** Starts the program of a bundle, calls a tool and ends the program. */
async function callOnce(bundle: string, flags: readonly string[] = []): Promise<string> {
  const root = path.join(bundle, '../root');
  await mkdir(root, { recursive: true });
  const args = [...flags, path.join(bundle, 'start.js'), '--state-dir', path.join(bundle, '../state'), root];
  await using session = await connectProcess({ command: process.execPath, args });
  return await session.text('list_allowed_directories');
}

/** Returns the cache files with their inodes, which change when a process writes a file again. */
async function listCache(bundle: string): Promise<Readonly<Record<string, number>>> {
  const cache = path.join(bundle, 'compile-cache');
  const entries = await readdir(cache, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, (await stat(file)).ino] as const)));
}

describe('the compile cache of the program', () => {
  it('is written by the first process and used by the next, if the version of Node.js has one', async () => {
    const bundle = await copyBundle();
    const answer = await callOnce(bundle);
    const first = await listCache(bundle);
    expect(Object.keys(first).length > 0).toBe(HAS_CACHE);
    expect(await callOnce(bundle)).toBe(answer);
    expect(await listCache(bundle)).toEqual(first);
  });

  const isRoot = process.getuid?.() === 0;
  const distrusted: Readonly<Record<string, (cache: string) => Promise<void>>> = {
    'is writable by others': (cache) => chmod(cache, 0o777),
    ...(isRoot && { 'belongs to another user': (cache) => chown(cache, 65_534, 65_534) }),
  };

  it.skipIf(process.platform === 'win32').each(Object.entries(distrusted))(
    'is not used if its directory %s',
    async (_, spoil) => {
      const bundle = await copyBundle();
      const cache = path.join(bundle, 'compile-cache');
      await mkdir(cache);
      await spoil(cache);
      await callOnce(bundle);
      expect(await listCache(bundle)).toEqual({});
    },
  );

  it.skipIf(process.platform === 'win32')('is not writable by others, whatever the umask', async () => {
    const bundle = await copyBundle();
    const before = process.umask(0);
    try {
      await callOnce(bundle);
    } finally {
      process.umask(before);
    }
    const written = [path.join(bundle, 'compile-cache'), ...Object.keys(await listCache(bundle))];
    const directories = new Set(written.flatMap((file) => [file, path.dirname(file)]).filter((file) => file !== bundle));
    for (const file of HAS_CACHE ? directories : []) expect((await stat(file)).mode & 0o022).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('is not written in a read-only directory', async () => {
    const bundle = await copyBundle();
    await giveToBound(path.dirname(bundle));
    await chmod(bundle, 0o555);
    expect(await callOnce(bundle, BOUND_BY_PERMISSIONS)).toBe(await callOnce(bundle, BOUND_BY_PERMISSIONS));
    expect(await listCache(bundle)).toEqual({});
  });
});
