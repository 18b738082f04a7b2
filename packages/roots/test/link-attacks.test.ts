import { lstat, mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { ground, GUARANTEES, outcome, type Ground } from './ground.ts';
import { MEETS, ofLink, OPERATIONS, outcomes, outcomesOf, type Outcomes } from './operations.ts';

const OUT = MEETS.outside;
const LINK_OUT = MEETS['link out'];
const LOOP = outcomes('SYMLINK_LOOP');
const LINK_LOOP = ofLink(LOOP);

/** Links by their path from the root, each with what it points to. */
type Links = (ground: Ground) => Readonly<Record<string, string>>;

/** The attack, its links, the path that is asked for, and what every operation comes to. */
type Attack = readonly [attack: string, links: Links, given: string | ((at: Ground) => string), expected: Outcomes];

const toFile: Links = ({ outside }) => ({ link: path.join(outside, 'secret.txt') });
const toDirectory: Links = ({ outside }) => ({ link: outside });
const dangling: Links = ({ outside }) => ({ link: path.join(outside, 'new.txt') });

const OUTWARDS: readonly Attack[] = [
  ['file link out', toFile, 'link', LINK_OUT],
  ['file link out as a directory', toFile, 'link/x', OUT],
  ['directory link out', toDirectory, 'link', LINK_OUT],
  ['directory link in the middle, existing leaf', toDirectory, 'link/secret.txt', OUT],
  ['directory link in the middle, missing leaf', toDirectory, 'link/new.txt', OUT],
  ['directory link and two missing levels', toDirectory, 'link/new/newer', OUT],
  ['directory link and a file as directory', toDirectory, 'link/secret.txt/x', OUT],
  ['directory link and a name of 256 bytes', toDirectory, `link/${'n'.repeat(256)}`, OUT],
  ['dangling link', dangling, 'link', LINK_OUT],
  ['dangling link as a directory', dangling, 'link/x', OUT],
  ['dangling link to a missing directory', ({ outside }) => ({ link: path.join(outside, 'new/newer') }), 'link', LINK_OUT],
  ['relative dangling link', () => ({ 'a/link': '../../../outside/new.txt' }), 'a/link', LINK_OUT],
  ['dangling link to a name inside', ({ root }) => ({ link: path.join(root, 'new.txt') }), 'link', LINK_OUT],
  [
    'chain of links',
    (at) => ({ first: 'second', second: 'a/third', 'a/third': path.join(at.outside, 'secret.txt') }),
    'first',
    LINK_OUT,
  ],
  ['chain of links that dangles', (at) => ({ first: 'second', second: path.join(at.outside, 'new.txt') }), 'first', LINK_OUT],
  ['relative link', () => ({ link: '../../outside/secret.txt' }), 'link', LINK_OUT],
  ['relative link in a directory', () => ({ 'a/link': '../../../outside' }), 'a/link/secret.txt', OUT],
  ['link to the parent of the root', () => ({ link: '..' }), 'link', LINK_OUT],
  ['link to the root of the file system', () => ({ link: '/' }), ({ outside }) => `link${outside}/secret.txt`, OUT],
  ['link to a sibling that starts with the name of the root', () => ({ link: '../safe_evil' }), 'link/x', OUT],
  [
    'link to a loop outside',
    ({ outside }) => ({ link: path.join(outside, 'loop'), '../../outside/loop': 'loop' }),
    'link',
    LINK_OUT,
  ],
  ['directory link and a loop outside', ({ outside }) => ({ link: outside, '../../outside/loop': 'loop' }), 'link/loop/x', OUT],
];

const OF_THE_KERNEL: readonly Attack[] = [
  ['link to /proc/self/root', () => ({ link: '/proc/self/root' }), 'link', LINK_OUT],
  ['path through /proc/self/root', () => ({ link: '/proc/self/root' }), ({ outside }) => `link${outside}/secret.txt`, OUT],
  ['new file through /proc/self/root', () => ({ link: '/proc/self/root' }), ({ outside }) => `link${outside}/new.txt`, OUT],
  ['link to /proc/self/cwd', () => ({ link: '/proc/self/cwd' }), 'link', LINK_OUT],
  ['new file through /proc/self/cwd', () => ({ link: '/proc/self/cwd' }), 'link/new.txt', OUT],
  ['link to /dev/fd/0', () => ({ link: '/dev/fd/0' }), 'link', LINK_OUT],
];

const LOOPS: readonly Attack[] = [
  ['itself', () => ({ loop: 'loop' }), 'loop', LINK_LOOP],
  ['itself by its absolute path', ({ root }) => ({ loop: path.join(root, 'loop') }), 'loop', LINK_LOOP],
  ['itself in the middle', () => ({ loop: 'loop' }), 'loop/x', LOOP],
  ['itself two levels above', () => ({ 'a/loop': 'loop' }), 'a/loop/x/y', LOOP],
  ['another that points back', () => ({ loop: 'a/back', 'a/back': '../loop' }), 'loop', LINK_LOOP],
  ['a loop', () => ({ link: 'loop', loop: 'loop' }), 'link', LINK_LOOP],
  ['a path below a loop', () => ({ link: 'loop/x', loop: 'loop' }), 'link', LINK_LOOP],
];

/** What leads to it, the links, the path that is asked for, what every operation comes to, and where it leads. */
type Inward = readonly [what: string, links: Links, given: string, expected: Outcomes, target: string];

const LINK_FILE = ofLink(MEETS.file);
const LINK_DIRECTORY = ofLink(MEETS.directory);
/** Directories are made one by one, and those on the way are looked at. */
const BY_OUTSIDE: Outcomes = { ...MEETS.file, 'make directories': 'PATH_OUTSIDE_ROOTS' };

const INWARDS: readonly Inward[] = [
  ['a file', ({ root }) => ({ link: path.join(root, 'ok.txt') }), 'link', LINK_FILE, 'ok.txt'],
  ['a file, relatively', () => ({ 'a/link': '../ok.txt' }), 'a/link', LINK_FILE, 'ok.txt'],
  ['a file, by a chain', () => ({ first: 'second', second: 'a/third', 'a/third': '../ok.txt' }), 'first', LINK_FILE, 'ok.txt'],
  ['a directory', () => ({ link: 'a' }), 'link', LINK_DIRECTORY, 'a'],
  ['a directory, existing leaf', () => ({ link: 'a' }), 'link/b.txt', MEETS.file, 'a/b.txt'],
  ['a directory, missing leaf', () => ({ link: 'a' }), 'link/new.txt', MEETS.nothing, 'a/new.txt'],
  ['a directory and two missing levels', () => ({ link: 'a' }), 'link/new/newer', MEETS['nothing in nothing'], 'a/new/newer'],
  ['the root', () => ({ link: '.' }), 'link', LINK_DIRECTORY, '.'],
  ['the root, twice', () => ({ link: '.' }), 'link/link/ok.txt', MEETS.file, 'ok.txt'],
  ['what is above the root, on a path that comes back', () => ({ link: '..' }), 'link/safe/ok.txt', BY_OUTSIDE, 'ok.txt'],
];

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('held as %s, a link', (guarantee) => {
  it.each(OUTWARDS)('that leads out is refused, and nothing comes of it: %s', attack);

  it.runIf(process.platform === 'linux').each(OF_THE_KERNEL)("into the kernel's own links is refused: %s", attack);

  it.each(LOOPS)('that runs in a circle is refused as such, to %s', attack);

  it.each(INWARDS)('that stays inside stands for its target: %s', async (...[, links, given, expected, target]) => {
    await attack(given, links, given, expected);
    if (expected.find !== 'allowed') return;
    const at = await planted(links);
    const { real, shown } = await at.roots.existing(given);
    expect({ real, shown }).toEqual({ real: path.join(at.root, target), shown: path.join(at.root, given) });
  });

  it.each(['relatively', 'absolutely'])('to a file stays when the file is written: %s', async (how) => {
    const at = await toOwnFile(how);
    await OPERATIONS.write(at.roots, 'link');
    expect((await lstat(path.join(at.root, 'link'))).isSymbolicLink()).toBe(true);
    expect(await readFile(path.join(at.root, 'ok.txt'), 'utf8')).toBe('written');
  });

  it.each(['relatively', 'absolutely'])('to a file is moved and deleted itself: %s', async (how) => {
    const at = await toOwnFile(how);
    const target = await readlink(path.join(at.root, 'link'));
    await OPERATIONS.move(at.roots, 'link');
    expect(await readlink(path.join(at.root, 'moved'))).toBe(target);
    await OPERATIONS.delete(at.roots, 'moved');
    expect((await readdir(at.root)).sort()).toEqual(['a', 'ok.txt']);
    expect(await readFile(path.join(at.root, 'ok.txt'), 'utf8')).toBe('ok.txt');
  });

  it('that changes is followed anew by each call', async () => {
    const at = await planted(({ root }) => ({ link: path.join(root, 'a') }));
    expect(await outcome(at.roots.existing('link/b.txt'))).toBe('allowed');
    await rm(path.join(at.root, 'link'));
    await symlink(at.outside, path.join(at.root, 'link'));
    expect(await outcome(at.roots.existing('link/b.txt'))).toBe('PATH_OUTSIDE_ROOTS');
  });

  /** By its relative and its absolute path. */
  async function attack(...[, links, given, expected]: Attack): Promise<void> {
    const relative = (at: Ground): string => (typeof given === 'string' ? given : given(at));
    for (const asked of [relative, (at: Ground) => path.join(at.root, relative(at))])
      expect(await outcomesOf(() => planted(links), asked)).toEqual(expected);
  }

  function toOwnFile(how: string): Promise<Ground> {
    return planted(({ root }) => ({ link: how === 'relatively' ? 'ok.txt' : path.join(root, 'ok.txt') }));
  }

  async function planted(links: Links): Promise<Ground> {
    const at = await ground({ guarantee });
    await mkdir(`${at.root}_evil/x`, { recursive: true });
    for (const [name, target] of Object.entries(links(at))) await symlink(target, path.join(at.root, name));
    return at;
  }
});
