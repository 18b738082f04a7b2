import { renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { directoryResource, fileResource, type WatchedResource, type WatchHub } from '../../src/index.ts';
import { RecordingListener, recordFile, openHub, temporaryDirectory, write } from '../fixtures.ts';

interface Fixture {
  /** Contains `root` and `outside`, which have the same entries. */
  readonly base: string;
  readonly root: string;
  readonly outside: string;
}

/**
 * Each attack has a title, the entry on the path to `root/a/b/secret.txt` that is replaced by a link, and the target of the
 * link. A target that begins with `/` is appended to `root`. Other targets are relative to the directory of the entry.
 */
const ATTACKS: readonly (readonly [string, string, string])[] = [
  ['the directory swapped for a link out', 'a/b', '/../outside/a/b'],
  ['a directory above swapped for a link out', 'a', '/../outside/a'],
  ['the root swapped for a link out', '', '/../outside'],
  ['the directory swapped for a relative link out', 'a/b', '../../outside/a/b'],
  ['a directory above swapped for a chain of links out', 'a', '/../hop/a'],
  ['the directory swapped for a link to itself', 'a/b', '/a/b'],
  ['the directory swapped for a dangling link', 'a/b', '/../nowhere'],
];

const FILE_ATTACKS: typeof ATTACKS = [
  ...ATTACKS,
  ['the file swapped for a link out', 'a/b/secret.txt', '/../outside/a/b/secret.txt'],
];

/** Replaces the entry by a link. Returns a function that undoes the replacement. */
function swap({ root }: Fixture, at: string, to: string): () => void {
  const place = path.join(root, at);
  renameSync(place, `${place}.mine`);
  symlinkSync(to.startsWith('/') ? path.join(root, to) : to, place);
  return () => {
    unlinkSync(place);
    renameSync(`${place}.mine`, place);
  };
}

async function makeGround(): Promise<Fixture> {
  const base = await temporaryDirectory();
  const ground = { base, root: path.join(base, 'root'), outside: path.join(base, 'outside') };
  for (const top of [ground.root, ground.outside]) write(path.join(top, 'a/b/secret.txt'), 'old');
  symlinkSync(ground.outside, path.join(base, 'hop'));
  write(path.join(base, 'beside.txt'), '0');
  return ground;
}

/** Resolves once the hub has checked all earlier changes: it announces the later changes of `beside.txt` after them. */
async function waitUntilChecked(hub: WatchHub, { base }: Fixture): Promise<void> {
  const file = path.join(base, 'beside.txt');
  const heard = recordFile(file);
  await using watch = await hub.watch(fileResource(file), heard.changed);
  for (const text of ['1', '2']) {
    writeFileSync(file, text);
    await heard.until(text);
  }
  expect(watch).toBeDefined();
}

/** Watches a resource. The listener records `1` at the first announcement, `2` at the second one, and so on. */
async function listenTo(hub: WatchHub, subject: WatchedResource): Promise<RecordingListener> {
  const heard = new RecordingListener(() => String(heard.seen.length + 1));
  await hub.watch(subject, heard.changed);
  return heard;
}

describe('a file', () => {
  it.each(FILE_ATTACKS)('is announced as removed and not watched through the link: %s', async (_, at, to) => {
    const ground = await makeGround();
    const { hub } = openHub();
    const subject = fileResource(path.join(ground.root, 'a/b/secret.txt'), ground.root);
    const heard = await listenTo(hub, subject);
    const undo = swap(ground, at, to);
    await heard.until('1');
    expect(await subject.fingerprint()).toBe('absent');
    for (const text of ['one', 'another']) {
      write(path.join(ground.outside, 'a/b/secret.txt'), text);
      await waitUntilChecked(hub, ground);
    }
    expect(heard.seen).toEqual(['1']);
    undo();
    await heard.until('2');
    expect(await subject.fingerprint()).not.toBe('absent');
    writeFileSync(path.join(ground.root, 'a/b/secret.txt'), 'mine');
    await heard.until('3');
  });
});

describe('a directory', () => {
  it.each(ATTACKS)('is announced as removed and not watched through the link: %s', async (_, at, to) => {
    const ground = await makeGround();
    const { hub } = openHub();
    const subject = directoryResource(path.join(ground.root, 'a/b'), ground.root);
    const heard = await listenTo(hub, subject);
    const undo = swap(ground, at, to);
    await heard.until('1');
    expect(await subject.fingerprint()).toBe('absent');
    for (const name of ['one', 'another']) {
      write(path.join(ground.outside, 'a/b', name), '');
      await waitUntilChecked(hub, ground);
    }
    expect(heard.seen).toEqual(['1']);
    undo();
    await heard.until('2');
    write(path.join(ground.root, 'a/b/mine'), '');
    await heard.until('3');
  });
});
