import { renameSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { directoryResource, fileResource } from '../../src/index.ts';
import {
  collectWatchers,
  RecordingListener,
  recordFile,
  createFile,
  openHub,
  temporaryDirectory,
  createUnwatchedResource,
  write,
} from '../fixtures.ts';

describe('a sweep', () => {
  it('finds changes every 30 s that no watcher reported', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const held = createUnwatchedResource();
    const { hub } = openHub();
    const heard = new RecordingListener(() => held.state);
    await hub.watch(held.subject, heard.changed);
    for (const state of ['two', 'three']) {
      held.state = state;
      vi.advanceTimersByTime(30_000);
      await heard.until(state);
    }
    expect(heard.seen).toEqual(['two', 'three']);
    await hub[Symbol.asyncDispose]();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('finds a replaced parent directory, and then reports changes in the new one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const directory = await temporaryDirectory();
    const file = path.join(directory, 'a/b/c.txt');
    write(file, 'old');
    write(path.join(directory, 'z/b/c.txt'), 'swapped');
    const { hub } = openHub();
    const heard = recordFile(file);
    await hub.watch(fileResource(file), heard.changed);
    renameSync(path.join(directory, 'a'), path.join(directory, 'y'));
    renameSync(path.join(directory, 'z'), path.join(directory, 'a'));
    vi.advanceTimersByTime(30_000);
    await heard.until('swapped');
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['swapped', 'new']);
  });

  it('finds directories of a tree that no watcher reported, and then reports changes in them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const root = await temporaryDirectory();
    const file = path.join(root, 'a/b/c.txt');
    write(path.join(root, 'a/other.txt'), '');
    const watchers = collectWatchers();
    const { hub } = openHub();
    const heard = recordFile(file);
    const place = { kind: 'tree', path: root, ignores: () => false } as const;
    await hub.watch({ ...fileResource(file), targets: [place] }, heard.changed);
    for (const watcher of watchers) watcher.removeAllListeners('change');
    write(file, 'one');
    vi.advanceTimersByTime(30_000);
    await heard.until('one');
    write(file, 'two');
    await heard.until('two');
    expect(heard.seen).toEqual(['one', 'two']);
  });

  it('follows a burst of events', async () => {
    const directory = await temporaryDirectory();
    const held = createUnwatchedResource();
    const { hub } = openHub();
    const heard = new RecordingListener(() => held.state);
    await hub.watch(held.subject, heard.changed);
    await hub.watch(directoryResource(directory), () => undefined);
    held.state = 'two';
    for (let index = 0; index < 1000; index++) write(path.join(directory, `${index}`), '');
    await heard.until('two');
    expect(heard.seen).toEqual(['two']);
  });

  it.each(['chokidar', 'fs.watch'])('follows a failure of %s, after which the directory is watched again', async (watcher) => {
    const file = await createFile();
    const place = { kind: 'tree', path: path.dirname(file), ignores: () => false } as const;
    const subject = watcher === 'chokidar' ? fileResource(file) : { ...fileResource(file), targets: [place] };
    const watchers = collectWatchers();
    const held = createUnwatchedResource();
    const { hub, errors } = openHub();
    const [heard, other] = [recordFile(file), new RecordingListener(() => held.state)];
    await hub.watch(held.subject, other.changed);
    await hub.watch(subject, heard.changed);
    held.state = 'two';
    watchers.at(-1)!.emit('error', new Error('it broke'));
    await other.until('two');
    expect(errors.seen).toEqual(['it broke']);
    for (const text of ['one', 'two']) {
      write(file, text);
      await heard.until(text);
    }
    expect(heard.seen).toEqual(['one', 'two']);
  });
});
