import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { ResultHeader } from '../../src/engine/reading.ts';
import { ExportedFile } from '../../src/result-store/exported-file.ts';
import { StoredResult } from '../../src/result-store/stored-result.ts';
import { ResultStore, type ResultStoreOptions } from '../../src/result-store/result-store.ts';
import type { ResultFile } from '../../src/result-store/result-file.ts';

const NOBODY = { auth: undefined };
const CSV = { filename: undefined, format: 'csv' } as const;

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'spool-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function spoolWith(given: Partial<ResultStoreOptions> = {}): Promise<ResultStore> {
  const directory = path.join(await temporaryDirectory(), 'spool');
  const spool = new ResultStore({ directory, maxBytes: 10_000_000, idleMs: 60_000, ...given });
  onTestFinished(() => spool[Symbol.asyncDispose]());
  return spool;
}

/** Returns the header of a result with one column. */
function named(name: string): ResultHeader {
  return { names: [name], describe: () => Promise.resolve([{ name, type: 'text' }]) };
}

const make = (file: ResultFile): ExportedFile => new ExportedFile(file, CSV);

async function exported(spool: ResultStore, text: string, caller: Parameters<ResultStore['get']>[2] = NOBODY): Promise<string> {
  const { handle, made } = await spool.add(make, caller, { hashed: true });
  made.columns(named('a'));
  made.row([text]);
  await made.finish();
  return handle;
}

function known(spool: ResultStore, handle: string, caller: Parameters<ResultStore['get']>[2] = NOBODY): boolean {
  try {
    return spool.get(handle, ExportedFile, caller).finished;
  } catch {
    return false;
  }
}

function person(clientId: string, subject?: string): Parameters<ResultStore['get']>[2] {
  return { auth: { token: 'changes', clientId, scopes: [], ...(subject !== undefined && { extra: { sub: subject } }) } };
}

describe('the result store', () => {
  it.each([
    ['an anonymous caller', NOBODY],
    ['another client', person('bob')],
    ['another subject of the same client', person('alice', 'second')],
    ['a client without a subject', person('alice')],
  ])('does not return an entry of one caller to %s', async (_, other) => {
    const spool = await spoolWith();
    const handle = await exported(spool, 'secret', person('alice', 'first'));
    expect(known(spool, handle, other)).toBe(false);
    expect(known(spool, handle, person('alice', 'first'))).toBe(true);
  });

  it('does not return an export as a result', async () => {
    const spool = await spoolWith();
    const handle = await exported(spool, 'x');
    expect(() => spool.get(handle, StoredResult, NOBODY)).toThrow('this caller has no such result');
  });

  it('creates random handles of 96 bits in 24 characters', async () => {
    const spool = await spoolWith();
    const handles = await Promise.all(Array.from({ length: 20 }, () => exported(spool, 'x')));
    expect(new Set(handles).size).toBe(20);
    for (const handle of handles) expect(handle).toMatch(/^[0-9a-f]{24}$/);
  });

  it('keeps the 32 most recently used finished entries of each caller', async () => {
    const spool = await spoolWith();
    const others = await exported(spool, 'x', person('bob'));
    const first = await exported(spool, 'first');
    const second = await exported(spool, 'second');
    for (let count = 0; count < 29; count += 1) await exported(spool, 'x');
    expect(known(spool, first)).toBe(true);
    await exported(spool, 'x');
    await exported(spool, 'x');
    await exported(spool, 'x');
    expect([known(spool, second), known(spool, first), known(spool, others, person('bob'))]).toEqual([false, true, true]);
  });

  it('gives a caller its share although another caller has used the whole limit', async () => {
    const spool = await spoolWith({ maxBytes: 1_000_000 });
    const hoard: string[] = [];
    for (let count = 0; count < 9; count += 1) hoard.push(await exported(spool, 'x'.repeat(100_000), person('ada')));
    const wanted: string[] = [];
    for (let count = 0; count < 4; count += 1) wanted.push(await exported(spool, 'x'.repeat(100_000), person('bob')));
    expect(wanted.map((handle) => known(spool, handle, person('bob')))).toEqual([true, true, true, true]);
    // The least recently used results were dropped first.
    expect(hoard.map((handle) => known(spool, handle, person('ada')))).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  it('drops no entries of a caller within its share, however much others write', async () => {
    const spool = await spoolWith({ maxBytes: 1_000_000 });
    const kept = [];
    for (let count = 0; count < 3; count += 1) kept.push(await exported(spool, 'x'.repeat(100_000), person('bob')));
    for (let count = 0; count < 30; count += 1)
      await exported(spool, 'x'.repeat(150_000), person(count % 2 === 0 ? 'ada' : 'eve'));
    await expect(exported(spool, 'x'.repeat(800_000), person('ada'))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(kept.map((handle) => known(spool, handle, person('bob')))).toEqual([true, true, true]);
  });

  it('drops an unfinished entry if the caller with the most bytes has no other entry', async () => {
    const spool = await spoolWith({ maxBytes: 1_000_000 });
    const { made } = await spool.add(make, person('ada'), { hashed: true });
    made.columns(named('a'));
    for (let count = 0; count < 3; count += 1) made.row(['x'.repeat(300_000)]);
    const wanted = await exported(spool, 'x'.repeat(400_000), person('bob'));
    expect(known(spool, wanted, person('bob'))).toBe(true);
    expect(() => made.row(['x'.repeat(300_000)])).toThrow('the rows were dropped: their space was needed');
    await expect(made.finish()).rejects.toMatchObject({ code: 'HANDLE_EXPIRED' });
  });

  it('drops the least recently used entry of a caller for a new one', async () => {
    const spool = await spoolWith({ maxBytes: 1_000_000 });
    const kept = await exported(spool, 'x'.repeat(700_000), person('ada'));
    const later = await exported(spool, 'x'.repeat(700_000), person('ada'));
    expect([known(spool, kept, person('ada')), known(spool, later, person('ada'))]).toEqual([false, true]);
  });

  it('removes the file of a process that was killed before it removed the name', async () => {
    const directory = path.join(await temporaryDirectory(), 'spool');
    await mkdir(directory, { mode: 0o700 });
    await writeFile(path.join(directory, 'left'), 'rows');
    await exported(await spoolWith({ directory }), 'x');
    expect(await readdir(directory)).toEqual([]);
  });

  it.each(['spool', ''])('removes nothing from the target of a link in its place: state/%s', async (name) => {
    const [victim, above] = [await temporaryDirectory(), await temporaryDirectory()];
    await mkdir(path.join(victim, 'spool'), { mode: 0o700 });
    for (const file of ['keep', 'spool/keep']) await writeFile(path.join(victim, file), 'mine');
    const state = path.join(above, 'state');
    if (name === 'spool') await mkdir(state, { mode: 0o700 });
    await symlink(victim, path.join(state, name).replace(/\/$/, ''));
    const spool = await spoolWith({ directory: path.join(state, 'spool') });
    await expect(exported(spool, 'x')).rejects.toMatchObject({ code: 'IO' });
    expect([await readdir(victim), await readdir(path.join(victim, 'spool'))]).toEqual([['keep', 'spool'], ['keep']]);
  });

  it('reports an error if its directory is a file', async () => {
    const file = path.join(await temporaryDirectory(), 'file');
    await writeFile(file, '');
    const spool = await spoolWith({ directory: path.join(file, 'spool') });
    await expect(exported(spool, 'x')).rejects.toMatchObject({ code: 'IO' });
  });

  it('returns the written bytes and their digest, wherever a piece ends', async () => {
    const spool = await spoolWith();
    const { made } = await spool.add(make, NOBODY, { hashed: true });
    made.columns(named('ü'));
    let expected = 'ü\n';
    for (let row = 0; row < 50; row += 1) {
      const value = 'äx'.repeat(row * 500);
      made.row([value]);
      expected += `${value === '' ? '""' : value}\n`;
      await made.busy;
    }
    const sha256 = await made.finish();
    expect((await made.read(0, made.bytes)).toString()).toBe(expected);
    expect((await made.read(made.bytes - 2, 100)).toString()).toBe('x\n');
    expect(sha256).toBe(createHash('sha256').update(expected).digest('hex'));
  });
});
