import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { RootError, Roots, type VerifiedPath } from '../src/index.ts';
import { createFixture, openRoots, getOutcome, getRefusal, temporaryDirectory, write } from './fixtures.ts';
import { OPERATIONS } from './operations.ts';

describe('Roots.open', () => {
  it('rejects a file and reports its path', async () => {
    const { root } = await createFixture();
    const opening = Roots.open([root, path.join(root, 'ok.txt')]);
    await expect(opening).rejects.toThrow(RootError);
    await expect(opening).rejects.toThrow(`${path.join(root, 'ok.txt')} is not a directory`);
  });

  it('rejects a directory that is given as writable and as read-only, even under two names', async () => {
    const { root } = await createFixture();
    const link = path.join(await temporaryDirectory(), 'link');
    await symlink(root, link);
    for (const again of [root, link]) {
      const opening = Roots.open([root, { path: again, mode: 'ro' }]);
      await expect(opening).rejects.toThrow(RootError);
      await expect(opening).rejects.toThrow(`the directory ${again} is given both as read-only and as writable`);
    }
    await using twice = await Roots.open([root, link]);
    expect(twice.directories).toHaveLength(2);
  });

  it('rejects a link to itself and reports its path', async () => {
    const loop = path.join(await temporaryDirectory(), 'loop');
    await symlink(loop, loop);
    const opening = Roots.open([loop]);
    await expect(opening).rejects.toThrow(RootError);
    await expect(opening).rejects.toThrow(loop);
  });

  it('resolves a relative directory against the working directory', async () => {
    const { root } = await createFixture();
    const { directories } = await openRoots([path.relative(process.cwd(), root)]);
    const [{ path: named, realPath, uri, mode, from } = { path: '' }] = directories;
    expect({ named, realPath, uri, mode, from }).toEqual({
      named: root,
      realPath: root,
      uri: pathToFileURL(root).href,
      mode: 'rw',
      from: 'operator',
    });
  });

  it('encodes the URI of a directory with spaces', async () => {
    const directory = path.join(await temporaryDirectory(), 'my files');
    await write(path.join(directory, 'a.txt'));
    const roots = await openRoots([directory]);
    expect(roots.directories[0]?.uri).toMatch(/\/my%20files$/);
  });

  it('preserves the order of directories and both paths of each', async () => {
    const { root, outside } = await createFixture();
    const link = path.join(path.dirname(root), 'link');
    await symlink(root, link);
    const { directories } = await openRoots([link, outside]);
    expect(directories.map((directory) => [directory.path, directory.realPath])).toEqual([
      [link, root],
      [outside, outside],
    ]);
  });
});

describe('a root', () => {
  it.each(['', '.', '/'])('is accessible as a path itself, followed by %j', async (suffix) => {
    const { root, roots } = await createFixture();
    const given = suffix === '.' ? '.' : `${root}${suffix}`;
    expect(placeOf(await roots.resolveExisting(given))).toEqual({ real: root, shown: root });
  });

  it('resolves relative paths if it is the first root', async () => {
    const { root, outside } = await createFixture();
    const roots = await openRoots([outside, root]);
    expect((await roots.resolveExisting('secret.txt')).real).toBe(path.join(outside, 'secret.txt'));
    expect(await getOutcome(roots.resolveExisting('ok.txt'))).toBe('NOT_FOUND');
    expect((await roots.resolveExisting(path.join(root, 'ok.txt'))).real).toBe(path.join(root, 'ok.txt'));
  });

  it('is reachable from another root by ".." and by a link', async () => {
    const { root, outside } = await createFixture();
    await symlink(outside, path.join(root, 'link'));
    const roots = await openRoots([root, outside]);
    const real = path.join(outside, 'secret.txt');
    expect(placeOf(await roots.resolveExisting('../../outside/secret.txt'))).toEqual({ real, shown: real });
    expect(placeOf(await roots.resolveExisting('link/secret.txt'))).toEqual({ real, shown: path.join(root, 'link/secret.txt') });
  });

  it('is required for any path', async () => {
    const roots = await openRoots([]);
    for (const given of ['ok.txt', '/etc/hostname', '', '.'])
      for (const operate of Object.values(OPERATIONS)) expect(await getOutcome(operate(roots, given))).toBe('ROOTS_REQUIRED');
  });
});

describe('a root that is a link', () => {
  async function linked(): Promise<{ readonly root: string; readonly link: string; readonly roots: Roots }> {
    const { root } = await createFixture();
    const link = path.join(path.dirname(root), 'link');
    await symlink(root, link);
    return { root, link, roots: await openRoots([link]) };
  }

  it.each(['ok.txt', 'a/b.txt', '.'])('is accessible by both names: %s', async (name) => {
    const { root, link, roots } = await linked();
    const verified = { real: path.join(root, name), shown: path.join(link, name) };
    for (const given of [name, path.join(link, name), path.join(root, name)])
      expect(placeOf(await roots.resolveExisting(given))).toEqual(verified);
  });

  it('accepts new files under both names', async () => {
    const { root, link, roots } = await linked();
    for (const given of [path.join(link, 'new.txt'), path.join(root, 'new.txt')]) {
      await using place = await roots.findEntryToWrite(given);
      expect(place.shown).toBe(path.join(link, 'new.txt'));
    }
    await OPERATIONS.write(roots, path.join(link, 'new.txt'));
    expect(await readFile(path.join(root, 'new.txt'), 'utf8')).toBe('written');
  });

  it('gives no access to siblings by either name', async () => {
    const { root, link, roots } = await linked();
    await write(`${link}_evil/x`, `${root}_evil/x`);
    expect(await getOutcome(roots.resolveExisting(`${link}_evil/x`))).toBe('PATH_OUTSIDE_ROOTS');
    expect(await getOutcome(roots.resolveExisting(`${root}_evil/x`))).toBe('PATH_OUTSIDE_ROOTS');
    expect(await getOutcome(roots.findEntryToWrite('../x'))).toBe('PATH_OUTSIDE_ROOTS');
  });
});

describe('a path that does not exist', () => {
  it.each([
    ['ok.tx', 'ok.txt'],
    ['a/B.txt', 'b.txt'],
    ['aa/b.txt', 'a'],
  ])('is reported with the most similar name: %s', async (given, near) => {
    const { roots } = await createFixture();
    expect(await getRefusal(roots.resolveExisting(given))).toMatchObject({
      text: `NOT_FOUND: ${JSON.stringify(given)} does not exist\ndid you mean ${JSON.stringify(near)}?`,
    });
  });

  it('results in no suggestion if no name is similar', async () => {
    const { roots } = await createFixture();
    expect(await getRefusal(roots.resolveExisting('something-else.md'))).toMatchObject({ code: 'NOT_FOUND', hint: undefined });
  });

  it('can be created in an existing directory', async () => {
    const { root, roots } = await createFixture();
    await using place = await roots.findEntryToWrite('a/new.txt');
    expect(place).toMatchObject({ name: 'new.txt', shown: path.join(root, 'a/new.txt'), facts: undefined });
  });

  it('cannot be created in a missing directory, and the most similar name is suggested', async () => {
    const { roots } = await createFixture();
    expect(await getRefusal(roots.findEntryToWrite('aa/new.txt'))).toMatchObject({
      text: 'NOT_FOUND: the directory of "aa/new.txt" does not exist\ndid you mean "a"?',
    });
  });
});

function placeOf({ real, shown }: VerifiedPath): object {
  return { real, shown };
}
