import { rmSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { directorySubject, fileSubject } from '../src/index.ts';
import { heardOf, oneFile, openHub, openWatchers, systemWatches, temporaryDirectory, write, type Heard } from './ground.ts';

const isLinux = process.platform === 'linux';

describe('listeners of one subject', () => {
  it('are each told of each change', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const [first, second] = [heardOf(file), heardOf(file)];
    await hub.watch(fileSubject(file), first.changed);
    await hub.watch(fileSubject(file), second.changed);
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

  it('may start at once', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const [first, second] = [heardOf(file), heardOf(file)];
    const watches = await Promise.all([first, second].map(({ changed }) => hub.watch(fileSubject(file), changed)));
    expect(hub.size).toBe(1);
    write(file, 'one');
    await Promise.all([first.until('one'), second.until('one')]);
    await watches[0]![Symbol.asyncDispose]();
    write(file, 'two');
    await second.until('two');
    expect([first.seen, second.seen]).toEqual([['one'], ['one', 'two']]);
  });

  it('are not told of what changed before they came', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const [first, second] = [heardOf(file), heardOf(file)];
    await hub.watch(fileSubject(file), first.changed);
    write(file, 'before');
    await hub.watch(fileSubject(file), second.changed);
    expect(first.seen).toEqual(['before']);
    write(file, 'after');
    await second.until('after');
    expect(second.seen).toEqual(['after']);
  });

  it('may be the same function twice', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const heard = heardOf(file);
    const [once] = await Promise.all([1, 2].map(() => hub.watch(fileSubject(file), heard.changed)));
    write(file, 'one');
    await heard.until('one');
    await once![Symbol.asyncDispose]();
    write(file, 'two');
    await heard.until('two');
    expect(heard.seen).toEqual(['one', 'one', 'two']);
  });

  it('leave the others alone when they throw', async () => {
    const file = await oneFile();
    const { hub, errors } = openHub();
    const heard = heardOf(file);
    await hub.watch(fileSubject(file), () => {
      throw new Error('thrown by a listener');
    });
    await hub.watch(fileSubject(file), heard.changed);
    for (const text of ['one', 'two']) {
      write(file, text);
      await heard.until(text);
    }
    expect(heard.seen).toEqual(['one', 'two']);
    expect(errors.seen).toEqual(['thrown by a listener', 'thrown by a listener']);
  });

  it('may leave while they are told, and take the others with them', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const [first, second] = [heardOf(file), heardOf(file)];
    const watches: AsyncDisposable[] = [];
    const leave = (): void => {
      first.changed();
      for (const watch of watches) void watch[Symbol.asyncDispose]();
    };
    watches.push(await hub.watch(fileSubject(file), leave));
    watches.push(await hub.watch(fileSubject(file), second.changed));
    write(file, 'one');
    await first.until('one');
    expect([first.seen, second.seen, hub.size]).toEqual([['one'], [], 0]);
  });
});

describe('a hub', () => {
  it('stops the watchers of a subject with its last listener', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const before = await openWatchers();
    const first = await hub.watch(fileSubject(file), () => undefined);
    const second = await hub.watch(fileSubject(file), () => undefined);
    expect([hub.size, (await openWatchers()) - before]).toEqual([1, 1]);
    await first[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    expect([hub.size, (await openWatchers()) - before]).toEqual([1, 1]);
    await second[Symbol.asyncDispose]();
    expect([hub.size, (await openWatchers()) - before]).toEqual([0, 0]);
  });

  it('keeps the watcher of a directory as long as one of its subjects is watched', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const before = await openWatchers();
    const heard = heardOf(file);
    const directory = await hub.watch(directorySubject(path.dirname(file)), () => undefined);
    await hub.watch(fileSubject(file), heard.changed);
    expect([hub.size, (await openWatchers()) - before]).toEqual([2, 1]);
    await directory[Symbol.asyncDispose]();
    expect([hub.size, (await openWatchers()) - before]).toEqual([1, 1]);
    write(file, 'new');
    await heard.until('new');
  });

  it('calls no listener that has left', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const [gone, heard] = [heardOf(file), heardOf(file)];
    const watch = await hub.watch(fileSubject(file), gone.changed);
    await hub.watch(fileSubject(file), heard.changed);
    write(file, 'new');
    await watch[Symbol.asyncDispose]();
    await heard.until('new');
    expect(gone.seen).toEqual([]);
  });

  it('watches a subject again while its watchers are being stopped', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const before = await openWatchers();
    const heard = heardOf(file);
    const first = await hub.watch(fileSubject(file), () => undefined);
    const [second] = await Promise.all([hub.watch(fileSubject(file), heard.changed), first[Symbol.asyncDispose]()]);
    await Promise.all([second[Symbol.asyncDispose](), hub.watch(fileSubject(file), heard.changed)]);
    expect([hub.size, (await openWatchers()) - before]).toEqual([1, 1]);
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
  });

  it('leaves nothing behind when it is disposed of with listeners, twice', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const before = await openWatchers();
    const watch = await hub.watch(fileSubject(file), () => undefined);
    await hub.watch(directorySubject(path.dirname(path.dirname(file))), () => undefined);
    await Promise.all([hub[Symbol.asyncDispose](), hub[Symbol.asyncDispose]()]);
    expect([hub.size, (await openWatchers()) - before]).toEqual([0, 0]);
    await watch[Symbol.asyncDispose]();
    await expect(hub.watch(fileSubject(file), () => undefined)).rejects.toThrow('the watch hub was disposed of');
  });

  it.each([0, 1, 2, 5, 10, 50, 200])('leaves nothing behind when it is disposed of %i turns after a start', async (turns) => {
    const file = await oneFile();
    const { hub, errors } = openHub();
    const before = await openWatchers();
    const heard = heardOf(file);
    const starting = Promise.all([hub.watch(fileSubject(file), heard.changed), hub.watch(fileSubject(file), heard.changed)]);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    await hub[Symbol.asyncDispose]();
    expect([hub.size, (await openWatchers()) - before]).toEqual([0, 0]);
    for (const watch of await starting) await watch[Symbol.asyncDispose]();
    expect([hub.size, (await openWatchers()) - before, heard.seen, errors.seen]).toEqual([0, 0, [], []]);
  });

  it.runIf(isLinux)('gives every watch of the system back', async () => {
    const directory = await temporaryDirectory();
    const before = systemWatches();
    const { hub } = openHub();
    const files = Array.from({ length: 20 }, (_, index) => path.join(directory, `${index}/a.txt`));
    for (const file of files) write(file, 'old');
    const watches = await Promise.all(files.map((file) => hub.watch(fileSubject(file), () => undefined)));
    expect([hub.size, systemWatches() - before]).toEqual([20, 20]);
    await Promise.all(watches.map((watch) => watch[Symbol.asyncDispose]()));
    expect([hub.size, systemWatches() - before]).toEqual([0, 0]);
  });

  it('works beside another one on a directory that is removed and made again', async () => {
    const file = path.join(await temporaryDirectory(), 'a/b.txt');
    write(file, 'old');
    const hubs = [openHub(), openHub()];
    const heard = [heardOf(file), heardOf(file)];
    await Promise.all(hubs.map(({ hub }, index) => hub.watch(fileSubject(file), heard[index]!.changed)));
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

async function rmAndHear(directory: string, heard: readonly Heard[]): Promise<void> {
  rmSync(directory, { recursive: true });
  await Promise.all(heard.map((each) => each.until('absent')));
}
