import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { type WatchedResource } from '../../src/index.ts';
import {
  RecordingListener,
  openHub,
  POLLING_NOTE,
  countSystemWatches,
  temporaryDirectory,
  readText,
  write,
} from '../fixtures.ts';

const isLinux = process.platform === 'linux';

/** Returns the state of a tree: all files outside `ignored`, with their texts. */
function readTree(root: string): string {
  const files = filesBelow(root).filter((file) => !file.split('/').includes('ignored'));
  return files.map((file) => `${file}=${readText(path.join(root, file))}`).join(' ');
}

function filesBelow(directory: string, relative: string = ''): readonly string[] {
  const entries = readdirSync(path.join(directory, relative), { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    const below = relative === '' ? entry.name : `${relative}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(directory, below) : entry.isFile() ? [below] : [];
  });
}

function treeSubject(root: string): WatchedResource {
  return {
    key: `tree:${root}`,
    targets: [{ kind: 'tree', path: root, ignores: (relative) => relative.endsWith('ignored') }],
    fingerprint: async () => seen(root),
  };
}

function seen(root: string): string {
  try {
    return readTree(root);
  } catch {
    return 'absent';
  }
}

async function watchTree(files: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory();
  const root = path.join(directory, 'root');
  for (const [file, text] of Object.entries(files)) write(path.join(root, file), text);
  const { hub, errors } = openHub();
  const heard = new RecordingListener(() => seen(root));
  const before = isLinux ? countSystemWatches() : 0;
  const watch = await hub.watch(treeSubject(root), heard.changed);
  return { directory, root, hub, heard, errors, watch, watches: () => countSystemWatches() - before };
}

describe('a watched tree', () => {
  it('is announced once for each change at any depth', async () => {
    const { root, heard } = await watchTree({ a: '1', 'x/b': '1', 'x/y/c': '1' });
    write(path.join(root, 'x/y/c'), '2');
    await heard.until('a=1 x/b=1 x/y/c=2');
    write(path.join(root, 'x/b'), '2');
    await heard.until('a=1 x/b=2 x/y/c=2');
    rmSync(path.join(root, 'a'));
    await heard.until('x/b=2 x/y/c=2');
    expect(heard.seen).toEqual(['a=1 x/b=1 x/y/c=2', 'a=1 x/b=2 x/y/c=2', 'x/b=2 x/y/c=2']);
  });

  it('reports changes in directories that were added later, all at once', async () => {
    const { root, heard } = await watchTree({ a: '1' });
    write(path.join(root, 'new/deep/er/b'), '1');
    await heard.until('a=1 new/deep/er/b=1');
    write(path.join(root, 'new/deep/er/b'), '2');
    await heard.until('a=1 new/deep/er/b=2');
    write(path.join(root, 'new/deep/c'), '1');
    await heard.until('a=1 new/deep/c=1 new/deep/er/b=2');
    expect(heard.seen).toHaveLength(3);
  });

  it('reports changes in directories that were moved or replaced', async () => {
    const { root, heard } = await watchTree({ 'x/y/a': '1' });
    renameSync(path.join(root, 'x'), path.join(root, 'z'));
    write(path.join(root, 'x/y/a'), '2');
    await heard.until('x/y/a=2 z/y/a=1');
    write(path.join(root, 'z/y/a'), '3');
    await heard.until('x/y/a=2 z/y/a=3');
    write(path.join(root, 'x/y/a'), '4');
    await heard.until('x/y/a=4 z/y/a=3');
    expect(heard.seen).toHaveLength(3);
  });

  it('calls ignores again if a rule file changes, even if ignores is asynchronous', async () => {
    const root = await temporaryDirectory();
    write(path.join(root, 'in/rules'), '');
    write(path.join(root, 'out/deep/a'), '1');
    const ignores = async (relative: string): Promise<boolean> => relative === readText(path.join(root, 'in/rules'));
    write(path.join(root, 'in/rules'), 'out');
    const { hub } = openHub();
    const heard = new RecordingListener(() => readText(path.join(root, 'out/deep/a')));
    const subject: WatchedResource = {
      key: 'rules',
      targets: [{ kind: 'tree', path: root, ignores, rules: 'rules' }],
      fingerprint: () => readText(path.join(root, 'in/rules')) + readText(path.join(root, 'out/deep/a')),
    };
    await hub.watch(subject, heard.changed);
    write(path.join(root, 'in/rules'), 'other');
    await heard.until('1');
    write(path.join(root, 'out/deep/a'), '2');
    await heard.until('2');
    expect(heard.seen).toEqual(['1', '2']);
  });

  it('shares its watches with another tree of the same directories', async () => {
    const root = await temporaryDirectory();
    write(path.join(root, 'x/y/a'), '1');
    const { hub, errors } = openHub({ maxWatches: 3 });
    const heard = ['one', 'two'].map(() => new RecordingListener(() => seen(root)));
    for (const [index, each] of heard.entries()) await hub.watch({ ...treeSubject(root), key: `tree ${index}` }, each.changed);
    write(path.join(root, 'x/y/a'), '2');
    await Promise.all(heard.map((each) => each.until('x/y/a=2')));
    expect(errors.seen).toEqual([]);
  });

  it('reports changes after it was removed and created again', async () => {
    const { root, heard } = await watchTree({ 'x/a': '1' });
    for (const text of ['2', '3']) {
      rmSync(root, { recursive: true });
      await heard.until('absent');
      write(path.join(root, 'x/a'), '1');
      await heard.until('x/a=1');
      write(path.join(root, 'x/a'), text);
      await heard.until(`x/a=${text}`);
    }
    expect(heard.seen).toEqual(['absent', 'x/a=1', 'x/a=2', 'absent', 'x/a=1', 'x/a=3']);
  });

  it.runIf(isLinux)('costs one watch for each directory, none for files and ignored directories', async () => {
    const { root, heard, watch, watches } = await watchTree({
      a: '1',
      b: '1',
      'x/c': '1',
      'ignored/d': '1',
      'x/ignored/deep/e': '1',
    });
    expect(watches()).toBe(2);
    write(path.join(root, 'y/z/f'), '1');
    write(path.join(root, 'y/ignored/deep/g'), '1');
    await heard.until('a=1 b=1 x/c=1 y/z/f=1');
    expect(watches()).toBe(4);
    rmSync(path.join(root, 'y'), { recursive: true });
    await heard.until('a=1 b=1 x/c=1');
    expect(watches()).toBe(2);
    await watch[Symbol.asyncDispose]();
    expect(watches()).toBe(0);
  });

  it.runIf(isLinux)('does not follow links to directories outside or to itself', async () => {
    const { directory, root, heard, watches } = await watchTree({ a: '1' });
    write(path.join(directory, 'outside/deep/b'), '1');
    symlinkSync(path.join(directory, 'outside'), path.join(root, 'out'));
    symlinkSync(root, path.join(root, 'loop'));
    write(path.join(root, 'a'), '2');
    await heard.until('a=2');
    expect(watches()).toBe(1);
  });

  it.runIf(isLinux)('is not watched through a link that replaces it', async () => {
    const { directory, root, heard, watches } = await watchTree({ 'x/a': '1' });
    expect(watches()).toBe(2);
    write(path.join(directory, 'outside/x/deep/a'), '1');
    rmSync(root, { recursive: true });
    symlinkSync(path.join(directory, 'outside'), root);
    await heard.until('x/deep/a=1');
    expect(watches()).toBe(1);
    rmSync(root);
    write(path.join(root, 'x/a'), '3');
    await heard.until('x/a=3');
    expect(watches()).toBe(2);
  });

  it.runIf(isLinux)('is not watched through a link that replaces one of its parents', async () => {
    const directory = await temporaryDirectory();
    const root = path.join(directory, 'above/root');
    write(path.join(root, 'x/a'), '1');
    write(path.join(directory, 'outside/root/x/a'), '2');
    const { hub } = openHub();
    const heard = new RecordingListener(() => seen(root));
    const before = countSystemWatches();
    await hub.watch(treeSubject(root), heard.changed);
    expect(countSystemWatches() - before).toBe(2);
    rmSync(path.dirname(root), { recursive: true });
    symlinkSync(path.join(directory, 'outside'), path.dirname(root));
    await heard.until('x/a=2');
    expect(countSystemWatches() - before).toBe(1);
  });

  it.runIf(isLinux)('releases its watches when it is removed', async () => {
    const { root, heard, watches } = await watchTree({ 'x/y/a': '1', 'z/b': '1' });
    expect(watches()).toBe(4);
    rmSync(root, { recursive: true });
    await heard.until('absent');
    expect(watches()).toBe(1);
  });

  it.runIf(isLinux)('leaves no watcher behind if the hub is disposed of while the tree is read', async () => {
    const root = await temporaryDirectory();
    for (let index = 0; index < 200; index++) mkdirSync(path.join(root, `${index}/a/b`), { recursive: true });
    const before = countSystemWatches();
    const { hub } = openHub();
    const starting = hub.watch(treeSubject(root), () => undefined);
    await hub[Symbol.asyncDispose]();
    expect(countSystemWatches()).toBe(before);
    await starting;
    expect(countSystemWatches()).toBe(before);
  });

  it('is polled if ignores fails', async () => {
    const root = await temporaryDirectory();
    write(path.join(root, 'x/a'), '1');
    const { hub, errors } = openHub();
    const heard = new RecordingListener(() => seen(root));
    const ignores = () => {
      throw new Error('no idea');
    };
    await hub.watch({ ...treeSubject(root), targets: [{ kind: 'tree', path: root, ignores }] }, heard.changed);
    expect(errors.seen).toEqual([`no idea; ${POLLING_NOTE}`]);
    write(path.join(root, 'x/a'), '2');
    await heard.until('x/a=2');
    expect(heard.seen).toEqual(['x/a=2']);
  });
});
