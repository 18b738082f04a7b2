import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { fileSubject, type WatchHub } from '../src/index.ts';
import { Heard, heardOf, oneFile, openHub, systemWatches, temporaryDirectory, unheard, write } from './ground.ts';

const IS_LINUX = process.platform === 'linux';

const DIRECTORIES = 50;
const FILES = 100;

/** Milliseconds in which a file is announced at most once. */
const WINDOW = 75;

/** As many events wait in Linux's queue at most; those after them are lost. */
const QUEUE = 16_384;

/** Writes files as fast as it can, five times, one after the other each time. */
const WRITER = `
  const { appendFileSync } = require('node:fs');
  for (let round = 0; round < 5; round++) for (const file of process.argv.slice(1)) appendFileSync(file, String(round));
`;

/** 5,000 files, of which 500 are subscribed to and 1,000 are going to be written: 250 of both, 750 others. */
async function makeTree() {
  const root = await temporaryDirectory();
  const files = (from: number, to: number): readonly string[] =>
    Array.from({ length: DIRECTORIES }, (_, directory) =>
      Array.from({ length: to - from }, (__, index) => path.join(root, `${directory}/${from + index}.txt`)),
    ).flat();
  for (const file of files(0, FILES)) write(file, 'old');
  return { subscribed: files(0, 10), changed: files(5, 10), others: files(10, 25) };
}

/** One who hears of a file, and when. */
class Timed {
  readonly file: string;
  readonly heard: Heard;
  readonly times: number[] = [];

  constructor(file: string) {
    this.file = file;
    this.heard = heardOf(file);
  }

  readonly changed = (): void => {
    this.times.push(performance.now());
    this.heard.changed();
  };

  /** Milliseconds between two announcements, at least. */
  get gap(): number {
    return Math.min(...this.times.slice(1).map((time, index) => time - this.times[index]!));
  }
}

/** Resolves when everything was looked at once more, which finds what no watcher tells of. */
async function swept(hub: WatchHub): Promise<void> {
  const held = unheard();
  const heard = new Heard(() => held.state);
  await hub.watch(held.subject, heard.changed);
  held.state = 'two';
  vi.advanceTimersByTime(30_000);
  await heard.until('two');
}

function watchesNow(): number {
  return IS_LINUX ? systemWatches() : 0;
}

describe('a file that is written without a pause', () => {
  it('is announced once in a window, and in the end', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const listener = new Timed(file);
    await hub.watch(fileSubject(file), listener.changed);
    for (let count = 0; count < 500; count++) {
      appendFileSync(file, '.');
      await setImmediate();
    }
    await listener.heard.until(`old${'.'.repeat(500)}`);
    expect(listener.gap).toBeGreaterThan(WINDOW - 1);
  });
});

type Burst = (changed: readonly string[], others: readonly string[]) => Promise<unknown>;

/** Who writes and how, and what is in each subscribed file afterwards. */
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
    'by %s is told of: each subscribed file that changed, none twice in a window, no other',
    async (_, burst, last) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const { subscribed, changed, others } = await makeTree();
      const { hub, errors } = openHub();
      const before = watchesNow();
      const listeners = subscribed.map((file) => new Timed(file));
      await Promise.all(listeners.map(({ file, changed: tell }) => hub.watch(fileSubject(file), tell)));
      expect(watchesNow() - before).toBe(IS_LINUX ? DIRECTORIES : 0);
      await burst(changed, others);
      const concerned = listeners.filter(({ file }) => changed.includes(file));
      await Promise.all(concerned.map(({ heard }) => heard.until(last)));
      await swept(hub);
      expect(listeners.filter(({ times }) => times.length > 0)).toEqual(concerned);
      expect(Math.min(...listeners.map(({ gap }) => gap))).toBeGreaterThan(WINDOW - 1);
      expect(errors.seen).toEqual([]);
      await hub[Symbol.asyncDispose]();
      expect(watchesNow()).toBe(before);
    },
  );
});
