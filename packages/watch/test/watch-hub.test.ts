import { rmSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { directoryResource, fileResource } from '../src/index.ts';
import {
  recordFile,
  createFile,
  openHub,
  countOpenWatchers,
  countSystemWatches,
  temporaryDirectory,
  write,
  type RecordingListener,
} from './fixtures.ts';

const isLinux = process.platform === 'linux';

describe('listeners of one resource', () => {
  it('are all notified of each change', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const [first, second] = [recordFile(file), recordFile(file)];
    await hub.watch(fileResource(file), first.changed);
    await hub.watch(fileResource(file), second.changed);
    expect(hub.size).toBe(1);
    write(file, 'one');
    await Promise.all([first.until('one'), second.until('one')]);
    write(file, 'two');
    await Promise.all([first.until('two'), second.until('two')]);
    expect([first.seen, second.seen]).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
  });

  it('can be added concurrently', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const [first, second] = [recordFile(file), recordFile(file)];
    const watches = await Promise.all([first, second].map(({ changed }) => hub.watch(fileResource(file), changed)));
    expect(hub.size).toBe(1);
    write(file, 'one');
    await Promise.all([first.until('one'), second.until('one')]);
    await watches[0]![Symbol.asyncDispose]();
    write(file, 'two');
    await second.until('two');
    expect([first.seen, second.seen]).toEqual([['one'], ['one', 'two']]);
  });

  it('are not notified of changes before they were added', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const [first, second] = [recordFile(file), recordFile(file)];
    await hub.watch(fileResource(file), first.changed);
    write(file, 'before');
    await hub.watch(fileResource(file), second.changed);
    expect(first.seen).toEqual(['before']);
    write(file, 'after');
    await second.until('after');
    expect(second.seen).toEqual(['after']);
  });

  it('can be the same function twice', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const heard = recordFile(file);
    const [once] = await Promise.all([1, 2].map(() => hub.watch(fileResource(file), heard.changed)));
    write(file, 'one');
    await heard.until('one');
    await once![Symbol.asyncDispose]();
    write(file, 'two');
    await heard.until('two');
    expect(heard.seen).toEqual(['one', 'one', 'two']);
  });

  it('do not affect the others if they throw', async () => {
    const file = await createFile();
    const { hub, errors } = openHub();
    const heard = recordFile(file);
    await hub.watch(fileResource(file), () => {
      throw new Error('thrown by a listener');
    });
    await hub.watch(fileResource(file), heard.changed);
    for (const text of ['one', 'two']) {
      write(file, text);
      await heard.until(text);
    }
    expect(heard.seen).toEqual(['one', 'two']);
    expect(errors.seen).toEqual(['thrown by a listener', 'thrown by a listener']);
  });

  it('can be removed during a notification, together with the others', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const [first, second] = [recordFile(file), recordFile(file)];
    const watches: AsyncDisposable[] = [];
    const leave = (): void => {
      first.changed();
      for (const watch of watches) void watch[Symbol.asyncDispose]();
    };
    watches.push(await hub.watch(fileResource(file), leave));
    watches.push(await hub.watch(fileResource(file), second.changed));
    write(file, 'one');
    await first.until('one');
    expect([first.seen, second.seen, hub.size]).toEqual([['one'], [], 0]);
  });
});

describe('a hub', () => {
  it('closes the watchers of a resource with its last listener', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const before = await countOpenWatchers();
    const first = await hub.watch(fileResource(file), () => undefined);
    const second = await hub.watch(fileResource(file), () => undefined);
    expect([hub.size, (await countOpenWatchers()) - before]).toEqual([1, 1]);
    await first[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    expect([hub.size, (await countOpenWatchers()) - before]).toEqual([1, 1]);
    await second[Symbol.asyncDispose]();
    expect([hub.size, (await countOpenWatchers()) - before]).toEqual([0, 0]);
  });

  it('keeps the watcher of a directory while one of its resources is watched', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const before = await countOpenWatchers();
    const heard = recordFile(file);
    const directory = await hub.watch(directoryResource(path.dirname(file)), () => undefined);
    await hub.watch(fileResource(file), heard.changed);
    expect([hub.size, (await countOpenWatchers()) - before]).toEqual([2, 1]);
    await directory[Symbol.asyncDispose]();
    expect([hub.size, (await countOpenWatchers()) - before]).toEqual([1, 1]);
    write(file, 'new');
    await heard.until('new');
  });

  it('calls no listener that was removed', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const [gone, heard] = [recordFile(file), recordFile(file)];
    const watch = await hub.watch(fileResource(file), gone.changed);
    await hub.watch(fileResource(file), heard.changed);
    write(file, 'new');
    await watch[Symbol.asyncDispose]();
    await heard.until('new');
    expect(gone.seen).toEqual([]);
  });

  it('watches a resource again while its watchers are being closed', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const before = await countOpenWatchers();
    const heard = recordFile(file);
    const first = await hub.watch(fileResource(file), () => undefined);
    const [second] = await Promise.all([hub.watch(fileResource(file), heard.changed), first[Symbol.asyncDispose]()]);
    await Promise.all([second[Symbol.asyncDispose](), hub.watch(fileResource(file), heard.changed)]);
    expect([hub.size, (await countOpenWatchers()) - before]).toEqual([1, 1]);
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
  });

  it('leaves no watcher behind when it is disposed of twice with listeners', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const before = await countOpenWatchers();
    const watch = await hub.watch(fileResource(file), () => undefined);
    await hub.watch(directoryResource(path.dirname(path.dirname(file))), () => undefined);
    await Promise.all([hub[Symbol.asyncDispose](), hub[Symbol.asyncDispose]()]);
    expect([hub.size, (await countOpenWatchers()) - before]).toEqual([0, 0]);
    await watch[Symbol.asyncDispose]();
    await expect(hub.watch(fileResource(file), () => undefined)).rejects.toThrow('the watch hub was disposed of');
  });

  it.each([0, 1, 2, 5, 10, 50, 200])(
    'leaves no watcher behind when it is disposed of %i event loop iterations after a start',
    async (turns) => {
      const file = await createFile();
      const { hub, errors } = openHub();
      const before = await countOpenWatchers();
      const heard = recordFile(file);
      const starting = Promise.all([hub.watch(fileResource(file), heard.changed), hub.watch(fileResource(file), heard.changed)]);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await hub[Symbol.asyncDispose]();
      expect([hub.size, (await countOpenWatchers()) - before]).toEqual([0, 0]);
      for (const watch of await starting) await watch[Symbol.asyncDispose]();
      expect([hub.size, (await countOpenWatchers()) - before, heard.seen, errors.seen]).toEqual([0, 0, [], []]);
    },
  );

  it.runIf(isLinux)('releases every system watch', async () => {
    const directory = await temporaryDirectory();
    const before = countSystemWatches();
    const { hub } = openHub();
    const files = Array.from({ length: 20 }, (_, index) => path.join(directory, `${index}/a.txt`));
    for (const file of files) write(file, 'old');
    const watches = await Promise.all(files.map((file) => hub.watch(fileResource(file), () => undefined)));
    expect([hub.size, countSystemWatches() - before]).toEqual([20, 20]);
    await Promise.all(watches.map((watch) => watch[Symbol.asyncDispose]()));
    expect([hub.size, countSystemWatches() - before]).toEqual([0, 0]);
  });

  it('works beside another hub on a directory that is removed and created again', async () => {
    const file = path.join(await temporaryDirectory(), 'a/b.txt');
    write(file, 'old');
    const hubs = [openHub(), openHub()];
    const heard = [recordFile(file), recordFile(file)];
    await Promise.all(hubs.map(({ hub }, index) => hub.watch(fileResource(file), heard[index]!.changed)));
    for (const text of ['one', 'two']) {
      await rmAndHear(path.dirname(file), heard);
      write(file, 'made');
      await Promise.all(heard.map((each) => each.until('made')));
      write(file, text);
      await Promise.all(heard.map((each) => each.until(text)));
    }
    for (const { seen } of heard) expect(seen).toEqual(['absent', 'made', 'one', 'absent', 'made', 'two']);
  });
});

async function rmAndHear(directory: string, heard: readonly RecordingListener[]): Promise<void> {
  rmSync(directory, { recursive: true });
  await Promise.all(heard.map((each) => each.until('absent')));
}
