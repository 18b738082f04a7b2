import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { VerifiedPath } from '../src/index.ts';
import { ground, outcome, type Ground } from './ground.ts';

const OUT = 'PATH_OUTSIDE_ROOTS';
const LOOP = 'SYMLINK_LOOP';

/** Links by their path from the root, each with what it points to. */
type Links = (ground: Ground) => Readonly<Record<string, string>>;

/** The attack, its links, the path that is asked for, and what reading and creating come to. */
type Attack = readonly [attack: string, links: Links, given: string, existing: string, creatable: string];

const toFile: Links = ({ outside }) => ({ link: path.join(outside, 'secret.txt') });
const toDirectory: Links = ({ outside }) => ({ link: outside });
const dangling: Links = ({ outside }) => ({ link: path.join(outside, 'new.txt') });

const OUTWARDS: readonly Attack[] = [
  ['file link out', toFile, 'link', OUT, OUT],
  ['file link out as a directory', toFile, 'link/x', OUT, OUT],
  ['directory link out', toDirectory, 'link', OUT, OUT],
  ['directory link in the middle, existing leaf', toDirectory, 'link/secret.txt', OUT, OUT],
  ['directory link in the middle, missing leaf', toDirectory, 'link/new.txt', OUT, OUT],
  ['directory link and two missing levels', toDirectory, 'link/new/newer', OUT, OUT],
  ['directory link and a file as directory', toDirectory, 'link/secret.txt/x', OUT, OUT],
  ['directory link and a name of 256 bytes', toDirectory, `link/${'n'.repeat(256)}`, OUT, OUT],
  ['dangling link', dangling, 'link', OUT, OUT],
  ['dangling link as a directory', dangling, 'link/x', OUT, OUT],
  ['dangling link to a missing directory', ({ outside }) => ({ link: path.join(outside, 'new/newer') }), 'link', OUT, OUT],
  ['relative dangling link', () => ({ 'a/link': '../../../outside/new.txt' }), 'a/link', OUT, OUT],
  ['dangling link to a name inside', ({ root }) => ({ link: path.join(root, 'new.txt') }), 'link', OUT, OUT],
  [
    'chain of links',
    (at) => ({ first: 'second', second: 'a/third', 'a/third': path.join(at.outside, 'secret.txt') }),
    'first',
    OUT,
    OUT,
  ],
  ['chain of links that dangles', (at) => ({ first: 'second', second: path.join(at.outside, 'new.txt') }), 'first', OUT, OUT],
  ['relative link', () => ({ link: '../../outside/secret.txt' }), 'link', OUT, OUT],
  ['relative link in a directory', () => ({ 'a/link': '../../../outside' }), 'a/link/secret.txt', OUT, OUT],
  ['link to the parent of the root', () => ({ link: '..' }), 'link', OUT, OUT],
  ['link to the root of the file system', () => ({ link: '/' }), 'link/etc/passwd', OUT, OUT],
  ['link to a sibling that starts with the name of the root', () => ({ link: '../safe_evil' }), 'link/x', OUT, OUT],
  [
    'link to a loop outside',
    ({ outside }) => ({ link: path.join(outside, 'loop'), '../../outside/loop': 'loop' }),
    'link',
    OUT,
    OUT,
  ],
  [
    'directory link and a loop outside',
    ({ outside }) => ({ link: outside, '../../outside/loop': 'loop' }),
    'link/loop/x',
    OUT,
    OUT,
  ],
];

const OF_THE_KERNEL: readonly Attack[] = [
  ['link to /proc/self/root', () => ({ link: '/proc/self/root' }), 'link', OUT, OUT],
  ['path through /proc/self/root', () => ({ link: '/proc/self/root' }), 'link/etc/passwd', OUT, OUT],
  ['new file through /proc/self/root', () => ({ link: '/proc/self/root' }), 'link/tmp/new.txt', OUT, OUT],
  ['link to /proc/self/cwd', () => ({ link: '/proc/self/cwd' }), 'link', OUT, OUT],
  ['new file through /proc/self/cwd', () => ({ link: '/proc/self/cwd' }), 'link/new.txt', OUT, OUT],
  ['link to /dev/fd/0', () => ({ link: '/dev/fd/0' }), 'link', OUT, OUT],
];

const LOOPS: readonly Attack[] = [
  ['itself', () => ({ loop: 'loop' }), 'loop', LOOP, LOOP],
  ['itself by its absolute path', ({ root }) => ({ loop: path.join(root, 'loop') }), 'loop', LOOP, LOOP],
  ['itself in the middle', () => ({ loop: 'loop' }), 'loop/x', LOOP, LOOP],
  ['itself two levels above', () => ({ 'a/loop': 'loop' }), 'a/loop/x/y', LOOP, LOOP],
  ['another that points back', () => ({ loop: 'a/back', 'a/back': '../loop' }), 'loop', LOOP, LOOP],
  ['a loop', () => ({ link: 'loop', loop: 'loop' }), 'link', LOOP, LOOP],
  ['a path below a loop', () => ({ link: 'loop/x', loop: 'loop' }), 'link', LOOP, LOOP],
];

const INWARDS: readonly Attack[] = [
  ['a file', ({ root }) => ({ link: path.join(root, 'ok.txt') }), 'link', 'ok.txt', 'ok.txt'],
  ['a file, relatively', () => ({ 'a/link': '../ok.txt' }), 'a/link', 'ok.txt', 'ok.txt'],
  ['a file, by a chain', () => ({ first: 'second', second: 'a/third', 'a/third': '../ok.txt' }), 'first', 'ok.txt', 'ok.txt'],
  ['a directory', () => ({ link: 'a' }), 'link', 'a', 'a'],
  ['a directory, existing leaf', () => ({ link: 'a' }), 'link/b.txt', 'a/b.txt', 'a/b.txt'],
  ['a directory, missing leaf', () => ({ link: 'a' }), 'link/new.txt', 'NOT_FOUND', 'a/new.txt'],
  ['a directory and two missing levels', () => ({ link: 'a' }), 'link/new/newer', 'NOT_FOUND', 'NOT_FOUND'],
  ['the root itself', () => ({ link: '.' }), 'link/link/ok.txt', 'ok.txt', 'ok.txt'],
  ['what is above the root, on a path that comes back', () => ({ link: '..' }), 'link/safe/ok.txt', 'ok.txt', 'ok.txt'],
];

describe.skipIf(process.platform === 'win32')('a link that leads out', () => {
  it.each(OUTWARDS)('is refused and creates nothing: %s', attack);
});

describe.runIf(process.platform === 'linux')("a link into the kernel's own links", () => {
  it.each(OF_THE_KERNEL)('is refused: %s', attack);
});

describe.skipIf(process.platform === 'win32')('a link that runs in a circle', () => {
  it.each(LOOPS)('is refused as such, to %s', attack);
});

describe.skipIf(process.platform === 'win32')('a link that stays inside', () => {
  it.each(INWARDS)('stands for its target and is shown by its own name: %s', async (...[, links, given, existing, creatable]) => {
    const at = await planted(links);
    const places = [existing, creatable].map((target) =>
      target === 'NOT_FOUND' ? target : { real: path.join(at.root, target), shown: path.join(at.root, given) },
    );
    expect([await placeOf(at.roots.existing(given)), await placeOf(at.roots.creatable(given))]).toEqual(places);
  });
});

describe.skipIf(process.platform === 'win32')('a link that changes', () => {
  it('is followed anew by each call', async () => {
    const at = await planted(({ root }) => ({ link: path.join(root, 'a') }));
    expect(await outcome(at.roots.existing('link/b.txt'))).toBe('allowed');
    await rm(path.join(at.root, 'link'));
    await symlink(at.outside, path.join(at.root, 'link'));
    expect(await outcome(at.roots.existing('link/b.txt'))).toBe(OUT);
  });
});

async function attack(...[, links, given, existing, creatable]: Attack): Promise<void> {
  const at = await planted(links);
  const before = await readdir(at.outside);
  for (const target of [given, path.join(at.root, given)]) {
    expect([await outcome(at.roots.existing(target)), await outcome(at.roots.creatable(target))]).toEqual([existing, creatable]);
  }
  expect(await readdir(at.outside)).toEqual(before);
}

async function placeOf(verified: Promise<VerifiedPath>): Promise<object | string> {
  return verified.then(
    ({ real, shown }) => ({ real, shown }),
    () => outcome(verified),
  );
}

async function planted(links: Links): Promise<Ground> {
  const at = await ground();
  await mkdir(`${at.root}_evil/x`, { recursive: true });
  for (const [name, target] of Object.entries(links(at))) await symlink(target, path.join(at.root, name));
  return at;
}
