import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { fileResource, type WatchHub } from '../../src/index.ts';
import {
  RecordingListener,
  recordFile,
  createFile,
  openHub,
  countSystemWatches,
  temporaryDirectory,
  createUnwatchedResource,
  write,
} from '../fixtures.ts';

const IS_LINUX = process.platform === 'linux';

const DIRECTORIES = 50;
const FILES = 100;

/** Milliseconds within which a file is announced at most once. */
const WINDOW_MS = 75;

/** Default maximum number of events in the inotify queue of Linux. Further events are lost while the queue is full. */
const QUEUE = 16_384;

/** Writes files without a pause in five rounds, each file once per round. */
const WRITER = `
  const { appendFileSync } = require('node:fs');
  for (let round = 0; round < 5; round++) for (const file of process.argv.slice(1)) appendFileSync(file, String(round));
`;

/** Creates 5,000 files. 500 of them are subscribed to and 1,000 will be written: 250 subscribed and 750 others. */
async function makeTree() {
  const root = await temporaryDirectory();
  const files = (from: number, to: number): readonly string[] =>
    Array.from({ length: DIRECTORIES }, (_, directory) =>
      Array.from({ length: to - from }, (__, index) => path.join(root, `${directory}/${from + index}.txt`)),
    ).flat();
  for (const file of files(0, FILES)) write(file, 'old');
  return { subscribed: files(0, 10), changed: files(5, 10), others: files(10, 25) };
}

/** Records the announcements of a file and their times. */
class TimedListener {
  readonly file: string;
  readonly heard: RecordingListener;
  readonly times: number[] = [];

  constructor(file: string) {
    this.file = file;
    this.heard = recordFile(file);
  }

  readonly changed = (): void => {
    this.times.push(performance.now());
    this.heard.changed();
  };

  /** The shortest measured time between two announcements, in milliseconds. */
  get minimumGap(): number {
    return Math.min(...this.times.slice(1).map((time, index) => time - this.times[index]!));
  }
}

/** Resolves after a sweep, which finds changes that no watcher reported. */
async function waitForSweep(hub: WatchHub): Promise<void> {
  const held = createUnwatchedResource();
  const heard = new RecordingListener(() => held.state);
  await hub.watch(held.subject, heard.changed);
  held.state = 'two';
  vi.advanceTimersByTime(30_000);
  await heard.until('two');
}

function watchesNow(): number {
  return IS_LINUX ? countSystemWatches() : 0;
}

describe('a file that is written continuously', () => {
  it('is announced once per window and after the last write', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const listener = new TimedListener(file);
    await hub.watch(fileResource(file), listener.changed);
    for (let count = 0; count < 500; count++) {
      appendFileSync(file, '.');
      await setImmediate();
    }
    await listener.heard.until(`old${'.'.repeat(500)}`);
    expect(listener.minimumGap).toBeGreaterThan(WINDOW_MS - 1);
  });
});

type Burst = (changed: readonly string[], others: readonly string[]) => Promise<unknown>;

/**
 * Each burst has its writer, a function that writes the files, and the final content of each subscribed file that was written.
 */
const BURSTS: readonly (readonly [string, Burst, string])[] = [
  [
    'another process',
    (changed, others) => once(spawn(process.execPath, ['-e', WRITER, ...changed, ...others]), 'exit'),
    'old01234',
  ],
  [
    'this process while it hears nothing, until the queue of the system overflows',
    async (changed, others) => {
      for (let events = 0; events < QUEUE; events += others.length) for (const file of others) appendFileSync(file, '.');
      for (const file of changed) appendFileSync(file, '.');
    },
    'old.',
  ],
];

describe('a burst of writes in a large tree', () => {
  it.each(BURSTS)(
    'by %s is announced once per window for each changed file with a subscription, and for no other file',
    async (_, burst, last) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const { subscribed, changed, others } = await makeTree();
      const { hub, errors } = openHub();
      const before = watchesNow();
      const listeners = subscribed.map((file) => new TimedListener(file));
      await Promise.all(listeners.map(({ file, changed: tell }) => hub.watch(fileResource(file), tell)));
      expect(watchesNow() - before).toBe(IS_LINUX ? DIRECTORIES : 0);
      await burst(changed, others);
      const concerned = listeners.filter(({ file }) => changed.includes(file));
      await Promise.all(concerned.map(({ heard }) => heard.until(last)));
      await waitForSweep(hub);
      expect(listeners.filter(({ times }) => times.length > 0)).toEqual(concerned);
      expect(Math.min(...listeners.map(({ minimumGap }) => minimumGap))).toBeGreaterThan(WINDOW_MS - 1);
      expect(errors.seen).toEqual([]);
      await hub[Symbol.asyncDispose]();
      expect(watchesNow()).toBe(before);
    },
  );
});
