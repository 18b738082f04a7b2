import { once } from 'node:events';
import { spawn } from 'node:child_process';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { fileSubject, type WatchHub } from '../src/index.ts';
import { heardOf, openHub, systemWatches, temporaryDirectory, write } from './ground.ts';

const DIRECTORIES = 50;
const FILES = 100;

/** Milliseconds in which a file is announced at most once. */
const WINDOW = 75;

/** Writes files as fast as it can, as often as it is told, one after the other each time. */
const WRITER = `
  const { writeFileSync } = require('node:fs');
  const [rounds, ...files] = process.argv.slice(1);
  for (let round = 0; round < rounds; round++) for (const file of files) writeFileSync(file, 'round ' + round);
`;

/** 5,000 files, of which 500 are subscribed to and 1,000 are going to be written: 250 are both. */
async function makeTree() {
  const root = await temporaryDirectory();
  const files = (from: number, to: number): readonly string[] =>
    Array.from({ length: DIRECTORIES }, (_, directory) =>
      Array.from({ length: to - from }, (__, index) => path.join(root, `${directory}/${from + index}.txt`)),
    ).flat();
  for (const file of files(0, FILES)) write(file, 'old');
  return { subscribed: files(0, 10), written: files(5, 25), changed: files(5, 10) };
}

/** When each file was announced, in milliseconds. */
async function announcementsOf(hub: WatchHub, files: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const announced = new Map<string, number[]>();
  const announce = (file: string): void => void announced.set(file, [...(announced.get(file) ?? []), performance.now()]);
  await Promise.all(files.map((file) => hub.watch(fileSubject(file), () => announce(file))));
  return announced;
}

/** Resolves when each of the files was announced as it is now, with all the others before it. */
async function allHeard(hub: WatchHub, files: readonly string[]): Promise<void> {
  const heard = await Promise.all(
    files.map(async (file) => {
      const each = heardOf(file);
      await hub.watch(fileSubject(file), each.changed);
      write(file, 'last');
      return each;
    }),
  );
  await Promise.all(heard.map((each) => each.until('last')));
}

function gapsOf(times: readonly number[]): readonly number[] {
  return times.slice(1).map((time, index) => time - times[index]!);
}

describe('a burst of writes in a large tree', () => {
  it.each<readonly [string, number, (rounds: number, files: readonly string[]) => Promise<unknown>]>([
    ['another process', 1, (rounds, files) => once(spawn(process.execPath, ['-e', WRITER, `${rounds}`, ...files]), 'exit')],
    [
      'this process while it hears nothing, until the queue of the system overflows',
      12,
      async (rounds, files) => {
        for (let round = 0; round < rounds; round++) for (const file of files) write(file, `round ${round}`);
      },
    ],
  ])('by %s is told of: each subscribed file that changed, none twice in a window, no other', async (_, rounds, burst) => {
    const { subscribed, written, changed } = await makeTree();
    const { hub, errors } = openHub();
    const before = process.platform === 'linux' ? systemWatches() : 0;
    const announced = await announcementsOf(hub, subscribed);
    if (process.platform === 'linux') expect(systemWatches() - before).toBe(DIRECTORIES);
    await burst(rounds, written);
    await allHeard(hub, changed);
    expect([...announced.keys()].toSorted()).toEqual([...changed].toSorted());
    for (const [file, times] of announced) expect(Math.min(WINDOW, ...gapsOf(times)), file).toBe(WINDOW);
    expect(errors.seen).toEqual([]);
    await hub[Symbol.asyncDispose]();
    if (process.platform === 'linux') expect(systemWatches() - before).toBe(0);
  });
});
