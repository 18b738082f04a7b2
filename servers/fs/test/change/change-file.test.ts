import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Roots } from '@org/mcp-roots';
import { describe, expect, it } from 'vitest';

import { changeFile } from '../../src/change/change-file.ts';
import { withFile } from '../../src/change/with-targets.ts';
import { ThreadPool } from '../../src/threads/thread-pool.ts';
import { ChangeSupport } from '../../src/change/change-support.ts';
import type { Content } from '../../src/storage/write-atomically.ts';
import { optionsWith, temporaryDirectory, temporaryState } from '../fixtures/temporary.ts';

const MEANWHILE: readonly (readonly [
  what: string,
  before: string | undefined,
  meanwhile: (file: string) => Promise<void>,
  after: string[],
])[] = [
  ['changes', 'old', (file) => writeFile(file, 'mine'), ['mine']],
  ['removes', 'old', (file) => rm(file), []],
  ['creates', undefined, (file) => writeFile(file, 'mine'), ['mine']],
];

describe('changeFile', () => {
  it.each(MEANWHILE)(
    'reports a conflict if another program %s the file right before the rename',
    async (_, before, meanwhile, after) => {
      const root = await temporaryDirectory();
      const file = path.join(root, 'f');
      if (before !== undefined) await writeFile(file, before);
      const options = optionsWith({});
      await using roots = await Roots.open([root]);
      await using changes = new ChangeSupport(temporaryState(), options);
      await using threads = new ThreadPool();
      const files = { roots, changes, threads, limits: options, defaultFilters: options };
      const { signal } = new AbortController();
      const written = withFile(files, { path: 'f' }, signal, (target) =>
        changeFile(files, target, { tool: 'write_file', content: contentAfter(() => meanwhile(file)) }, signal),
      );
      await expect(written).rejects.toMatchObject({ code: 'CONFLICT' });
      const left = (await readdir(root)).map((name) => readFile(path.join(root, name), 'utf8'));
      expect(await Promise.all(left)).toEqual(after);
      for await (const change of changes.journal.list()) throw new Error(`${change.id} is kept`);
    },
  );
});

describe('a long change', () => {
  it('is not made if its stored content is removed while the change runs', async () => {
    const root = await temporaryDirectory();
    const state = temporaryState();
    for (const name of ['f', 'g']) await writeFile(path.join(root, name), `old ${name}`);
    const options = optionsWith({});
    await using roots = await Roots.open([root]);
    await using threads = new ThreadPool();
    await using changes = new ChangeSupport(state, options);
    await using others = new ChangeSupport(state, options);
    const files = { roots, changes, threads, limits: options, defaultFilters: options };
    const { signal } = new AbortController();
    const write = (each: typeof files, name: string, content: Content): Promise<unknown> =>
      withFile(each, { path: name }, signal, (target) => changeFile(each, target, { tool: 'write_file', content }, signal));
    const slow = contentAfter(async () => {
      const contents = path.join(state, 'contents');
      const long = new Date(Date.now() - 3_600_000);
      for (const name of await readdir(contents, { recursive: true })) await utimes(path.join(contents, name), long, long);
      await write({ ...files, changes: others }, 'g', Buffer.from('new'));
    });
    await expect(write(files, 'f', slow)).rejects.toMatchObject({ code: 'IO' });
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('old f');
    expect(await readdir(root)).toEqual(['f', 'g']);
  });
});

describe('a directory that is replaced by a link to the outside during a write', () => {
  it('receives the file at its new path, and no file is written outside', async () => {
    const base = await temporaryDirectory();
    const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
    for (const each of [root, outside]) await mkdir(path.join(each, 'sub'), { recursive: true });
    await writeFile(path.join(root, 'sub/f'), 'old');
    await writeFile(path.join(outside, 'sub/f'), 'SECRET');
    const swap = async (): Promise<void> => {
      await rename(path.join(root, 'sub'), path.join(root, 'moved'));
      await symlink(path.join(outside, 'sub'), path.join(root, 'sub'));
    };
    const options = optionsWith({});
    await using roots = await Roots.open([root]);
    await using changes = new ChangeSupport(temporaryState(), options);
    await using threads = new ThreadPool();
    const files = { roots, changes, threads, limits: options, defaultFilters: options };
    const { signal } = new AbortController();
    const change = { tool: 'write_file', content: contentAfter(swap) };
    const written = await withFile(files, { path: 'sub/f' }, signal, (target) => changeFile(files, target, change, signal));
    expect(written.bytes).toBe(3);
    expect(await readdir(path.join(outside, 'sub'))).toEqual(['f']);
    expect(await readFile(path.join(outside, 'sub/f'), 'utf8')).toBe('SECRET');
    expect(await readdir(path.join(root, 'moved'))).toEqual(['f']);
    expect(await readFile(path.join(root, 'moved/f'), 'utf8')).toBe('new');
  });
});

async function* contentAfter(meanwhile: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('new');
  await meanwhile();
}
