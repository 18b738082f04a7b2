import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { RootError, Roots, type VerifiedPath } from '../src/index.ts';
import { ground, opened, outcome, refusal, temporaryDirectory, write } from './ground.ts';
import { OPERATIONS } from './operations.ts';

describe('opening roots', () => {
  it('refuses a file, by its path', async () => {
    const { root } = await ground();
    const opening = Roots.open([root, path.join(root, 'ok.txt')]);
    await expect(opening).rejects.toThrow(RootError);
    await expect(opening).rejects.toThrow(`${path.join(root, 'ok.txt')} is not a directory`);
  });

  it('refuses a directory that is to be writable and read-only, by whichever name', async () => {
    const { root } = await ground();
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

  it('refuses a link that runs in a circle, by its path', async () => {
    const loop = path.join(await temporaryDirectory(), 'loop');
    await symlink(loop, loop);
    const opening = Roots.open([loop]);
    await expect(opening).rejects.toThrow(RootError);
    await expect(opening).rejects.toThrow(loop);
  });

  it('resolves a relative directory against the working directory', async () => {
    const { root } = await ground();
    const { directories } = await opened([path.relative(process.cwd(), root)]);
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
    const roots = await opened([directory]);
    expect(roots.directories[0]?.uri).toMatch(/\/my%20files$/);
  });

  it('keeps the order and both names of each directory', async () => {
    const { root, outside } = await ground();
    const link = path.join(path.dirname(root), 'link');
    await symlink(root, link);
    const { directories } = await opened([link, outside]);
    expect(directories.map((directory) => [directory.path, directory.realPath])).toEqual([
      [link, root],
      [outside, outside],
    ]);
  });
});

describe('a root', () => {
  it.each(['', '.', '/'])('is itself a path inside, written with %j after it', async (suffix) => {
    const { root, roots } = await ground();
    const given = suffix === '.' ? '.' : `${root}${suffix}`;
    expect(placeOf(await roots.existing(given))).toEqual({ real: root, shown: root });
  });

  it('is where relative paths start, if it is the first', async () => {
    const { root, outside } = await ground();
    const roots = await opened([outside, root]);
    expect((await roots.existing('secret.txt')).real).toBe(path.join(outside, 'secret.txt'));
    expect(await outcome(roots.existing('ok.txt'))).toBe('NOT_FOUND');
    expect((await roots.existing(path.join(root, 'ok.txt'))).real).toBe(path.join(root, 'ok.txt'));
  });

  it('may be reached from another one by ".." and by a link', async () => {
    const { root, outside } = await ground();
    await symlink(outside, path.join(root, 'link'));
    const roots = await opened([root, outside]);
    const real = path.join(outside, 'secret.txt');
    expect(placeOf(await roots.existing('../../outside/secret.txt'))).toEqual({ real, shown: real });
    expect(placeOf(await roots.existing('link/secret.txt'))).toEqual({ real, shown: path.join(root, 'link/secret.txt') });
  });

  it('is needed for any path', async () => {
    const roots = await opened([]);
    for (const given of ['ok.txt', '/etc/hostname', '', '.'])
      for (const operate of Object.values(OPERATIONS)) expect(await outcome(operate(roots, given))).toBe('ROOTS_REQUIRED');
  });
});

describe('a root that is a link', () => {
  async function linked(): Promise<{ readonly root: string; readonly link: string; readonly roots: Roots }> {
    const { root } = await ground();
    const link = path.join(path.dirname(root), 'link');
    await symlink(root, link);
    return { root, link, roots: await opened([link]) };
  }

  it.each(['ok.txt', 'a/b.txt', '.'])('is reached by both names: %s', async (name) => {
    const { root, link, roots } = await linked();
    const verified = { real: path.join(root, name), shown: path.join(link, name) };
    for (const given of [name, path.join(link, name), path.join(root, name)])
      expect(placeOf(await roots.existing(given))).toEqual(verified);
  });

  it('is where things are created by both names', async () => {
    const { root, link, roots } = await linked();
    for (const given of [path.join(link, 'new.txt'), path.join(root, 'new.txt')]) {
      await using place = await roots.placeToWrite(given);
      expect(place.shown).toBe(path.join(link, 'new.txt'));
    }
    await OPERATIONS.write(roots, path.join(link, 'new.txt'));
    expect(await readFile(path.join(root, 'new.txt'), 'utf8')).toBe('written');
  });

  it('has no siblings by either name', async () => {
    const { root, link, roots } = await linked();
    await write(`${link}_evil/x`, `${root}_evil/x`);
    expect(await outcome(roots.existing(`${link}_evil/x`))).toBe('PATH_OUTSIDE_ROOTS');
    expect(await outcome(roots.existing(`${root}_evil/x`))).toBe('PATH_OUTSIDE_ROOTS');
    expect(await outcome(roots.placeToWrite('../x'))).toBe('PATH_OUTSIDE_ROOTS');
  });
});

describe('a path that does not exist', () => {
  it.each([
    ['ok.tx', 'ok.txt'],
    ['a/B.txt', 'b.txt'],
    ['aa/b.txt', 'a'],
  ])('is answered with the nearest name: %s', async (given, near) => {
    const { roots } = await ground();
    expect(await refusal(roots.existing(given))).toMatchObject({
      text: `NOT_FOUND: ${JSON.stringify(given)} does not exist\ndid you mean ${JSON.stringify(near)}?`,
    });
  });

  it('is answered without a name where none is near', async () => {
    const { roots } = await ground();
    expect(await refusal(roots.existing('something-else.md'))).toMatchObject({ code: 'NOT_FOUND', hint: undefined });
  });

  it('may be created in a directory that exists', async () => {
    const { root, roots } = await ground();
    await using place = await roots.placeToWrite('a/new.txt');
    expect(place).toMatchObject({ name: 'new.txt', shown: path.join(root, 'a/new.txt'), facts: undefined });
  });

  it('may not be created where its directory is missing, with the nearest name', async () => {
    const { roots } = await ground();
    expect(await refusal(roots.placeToWrite('aa/new.txt'))).toMatchObject({
      text: 'NOT_FOUND: the directory of "aa/new.txt" does not exist\ndid you mean "a"?',
    });
  });
});

function placeOf({ real, shown }: VerifiedPath): object {
  return { real, shown };
}
