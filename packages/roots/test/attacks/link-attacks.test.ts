import { lstat, mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { createFixture, GUARANTEES, getOutcome, type RootFixture } from '../fixtures.ts';
import { OUTCOMES, withLinkOutcomes, OPERATIONS, outcomes, collectOutcomes, type Outcomes } from '../operations.ts';

const OUT = OUTCOMES.outside;
const LINK_OUT = OUTCOMES['link out'];
const LOOP = outcomes('SYMLINK_LOOP');
const LINK_LOOP = withLinkOutcomes(LOOP);

/** Returns the target of each link, by the path of the link relative to the root. */
type Links = (ground: RootFixture) => Readonly<Record<string, string>>;

/** The title of an attack, its links, the requested path, and the expected outcome of every operation. */
type Attack = readonly [attack: string, links: Links, given: string | ((at: RootFixture) => string), expected: Outcomes];

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
  ['dangling link to a directory link out', ({ outside }) => ({ out: outside, link: 'out/new.txt' }), 'link', LINK_OUT],
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

/** The outcomes for a dangling link with a target inside: a write is denied, so it creates nothing at the target. */
const LINK_NOWHERE = withLinkOutcomes(outcomes('NOT_FOUND', { write: 'DENIED_BY_POLICY' }));

const DANGLING: readonly Attack[] = [
  ['a name inside', ({ root }) => ({ link: path.join(root, 'new.txt') }), 'link', LINK_NOWHERE],
  ['a name inside, relatively', () => ({ 'a/link': '../new.txt' }), 'a/link', LINK_NOWHERE],
  ['a name inside, by a chain', () => ({ link: 'a/next', 'a/next': '../new.txt' }), 'link', LINK_NOWHERE],
  ['two missing levels inside', () => ({ link: 'new/newer' }), 'link', LINK_NOWHERE],
  ['a name inside, as a directory', () => ({ link: 'new' }), 'link/x', outcomes('NOT_FOUND')],
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

/** A title, the links, the requested path, the expected outcome of every operation, and the path of the target in the root. */
type Inward = readonly [what: string, links: Links, given: string, expected: Outcomes, target: string];

const LINK_FILE = withLinkOutcomes(OUTCOMES.file);
const LINK_DIRECTORY = withLinkOutcomes(OUTCOMES.directory);
/** `makeDirectories` examines each directory on the path, so it fails for a path through the outside. */
const BY_OUTSIDE: Outcomes = { ...OUTCOMES.file, 'make directories': 'PATH_OUTSIDE_ROOTS' };

const INWARDS: readonly Inward[] = [
  ['a file', ({ root }) => ({ link: path.join(root, 'ok.txt') }), 'link', LINK_FILE, 'ok.txt'],
  ['a file, relatively', () => ({ 'a/link': '../ok.txt' }), 'a/link', LINK_FILE, 'ok.txt'],
  ['a file, by a chain', () => ({ first: 'second', second: 'a/third', 'a/third': '../ok.txt' }), 'first', LINK_FILE, 'ok.txt'],
  ['a directory', () => ({ link: 'a' }), 'link', LINK_DIRECTORY, 'a'],
  ['a directory, existing leaf', () => ({ link: 'a' }), 'link/b.txt', OUTCOMES.file, 'a/b.txt'],
  ['a directory, missing leaf', () => ({ link: 'a' }), 'link/new.txt', OUTCOMES.nothing, 'a/new.txt'],
  ['a directory and two missing levels', () => ({ link: 'a' }), 'link/new/newer', OUTCOMES['nothing in nothing'], 'a/new/newer'],
  ['the root', () => ({ link: '.' }), 'link', LINK_DIRECTORY, '.'],
  ['the root, twice', () => ({ link: '.' }), 'link/link/ok.txt', OUTCOMES.file, 'ok.txt'],
  ['the parent of the root, on a path that returns', () => ({ link: '..' }), 'link/safe/ok.txt', BY_OUTSIDE, 'ok.txt'],
];

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('a link (guarantee %s)', (guarantee) => {
  it.each(OUTWARDS)('is rejected without any effect if it points outside: %s', attack);

  it.each(DANGLING)('is reported as dangling without any effect if it points to %s', attack);

  it.runIf(process.platform === 'linux').each(OF_THE_KERNEL)("is rejected if it points into the kernel's own links: %s", attack);

  it.each(LOOPS)('is rejected as a loop if it points to %s', attack);

  it.each(INWARDS)('gives access to its target if the target is inside: %s', async (...[, links, given, expected, target]) => {
    await attack(given, links, given, expected);
    if (expected.find !== 'allowed') return;
    const at = await planted(links);
    const { real, shown } = await at.roots.resolveExisting(given);
    expect({ real, shown }).toEqual({ real: path.join(at.root, target), shown: path.join(at.root, given) });
  });

  it.each(['relatively', 'absolutely'])('remains a link when its target is written: %s', async (how) => {
    const at = await toOwnFile(how);
    await OPERATIONS.write(at.roots, 'link');
    expect((await lstat(path.join(at.root, 'link'))).isSymbolicLink()).toBe(true);
    expect(await readFile(path.join(at.root, 'ok.txt'), 'utf8')).toBe('written');
  });

  it.each(['relatively', 'absolutely'])('is moved and deleted itself, not its target: %s', async (how) => {
    const at = await toOwnFile(how);
    const target = await readlink(path.join(at.root, 'link'));
    await OPERATIONS.move(at.roots, 'link');
    expect(await readlink(path.join(at.root, 'moved'))).toBe(target);
    await OPERATIONS.delete(at.roots, 'moved');
    expect((await readdir(at.root)).sort()).toEqual(['a', 'ok.txt']);
    expect(await readFile(path.join(at.root, 'ok.txt'), 'utf8')).toBe('ok.txt');
  });

  it('is resolved again by each call', async () => {
    const at = await planted(({ root }) => ({ link: path.join(root, 'a') }));
    expect(await getOutcome(at.roots.resolveExisting('link/b.txt'))).toBe('allowed');
    await rm(path.join(at.root, 'link'));
    await symlink(at.outside, path.join(at.root, 'link'));
    expect(await getOutcome(at.roots.resolveExisting('link/b.txt'))).toBe('PATH_OUTSIDE_ROOTS');
  });

  /** Checks the outcome of every operation on the relative and on the absolute path. */
  async function attack(...[, links, given, expected]: Attack): Promise<void> {
    const relative = (at: RootFixture): string => (typeof given === 'string' ? given : given(at));
    for (const asked of [relative, (at: RootFixture) => path.join(at.root, relative(at))])
      expect(await collectOutcomes(() => planted(links), asked)).toEqual(expected);
  }

  function toOwnFile(how: string): Promise<RootFixture> {
    return planted(({ root }) => ({ link: how === 'relatively' ? 'ok.txt' : path.join(root, 'ok.txt') }));
  }

  async function planted(links: Links): Promise<RootFixture> {
    const at = await createFixture({ guarantee });
    await mkdir(`${at.root}_evil/x`, { recursive: true });
    for (const [name, target] of Object.entries(links(at))) await symlink(target, path.join(at.root, name));
    return at;
  }
});
