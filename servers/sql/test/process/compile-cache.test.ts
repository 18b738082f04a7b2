import { cp, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { useDatabase } from '../fixtures/postgres.ts';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
/** Whether Node.js has a compile cache, which Node.js 20 lacks. */
const HAS_CACHE = 'enableCompileCache' in nodeModule;
const database = useDatabase({});

/** Copies the bundle without its cache. */
async function copyBundle(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'compile-cache-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await symlink(path.join(PACKAGE, 'node_modules'), path.join(root, 'node_modules'), 'junction');
  const bundle = path.join(root, 'bundle');
  await cp(path.join(PACKAGE, 'bundle'), bundle, { recursive: true, filter: (file) => !file.includes('compile-cache') });
  return bundle;
}

async function queryOnce(bundle: string): Promise<string> {
  const args = [path.join(bundle, 'start.js'), '--state-dir', path.join(bundle, '../state'), database.url()];
  await using session = await connectProcess({ command: process.execPath, args });
  return await session.text('query', { sql: 'select 6 * 7 as answer' });
}

/** Returns the cache files with their inodes, which change when a process writes a file again. */
async function listCache(bundle: string): Promise<Readonly<Record<string, number>>> {
  const entries = await readdir(path.join(bundle, 'compile-cache'), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, (await stat(file)).ino] as const)));
}

describe('the compile cache of the program', () => {
  it('is valid for the next process, although the parser changes a flag of V8 while it loads', async () => {
    const bundle = await copyBundle();
    expect(await queryOnce(bundle)).toContain('42');
    const first = await listCache(bundle);
    expect(Object.keys(first).length > 0).toBe(HAS_CACHE);
    expect(await queryOnce(bundle)).toContain('42');
    expect(await listCache(bundle)).toEqual(first);
  });
});
