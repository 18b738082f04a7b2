import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { RootError, Roots } from '../src/index.ts';
import { ground, outcome, refusal, temporaryDirectory, write } from './ground.ts';

describe('opening roots', () => {
  it('refuses a directory that is missing, by its path', async () => {
    const missing = path.join(await temporaryDirectory(), 'missing');
    const opened = Roots.open([missing]);
    await expect(opened).rejects.toThrow(RootError);
    await expect(opened).rejects.toThrow(`the directory ${missing} cannot be used: it does not exist`);
  });

  it('refuses a file, by its path', async () => {
    const { root } = await ground();
    const opened = Roots.open([root, path.join(root, 'ok.txt')]);
    await expect(opened).rejects.toThrow(RootError);
    await expect(opened).rejects.toThrow(`${path.join(root, 'ok.txt')} is not a directory`);
  });

  it('refuses a link that runs in a circle, by its path', async () => {
    const loop = path.join(await temporaryDirectory(), 'loop');
    await symlink(loop, loop);
    const opened = Roots.open([loop]);
    await expect(opened).rejects.toThrow(RootError);
    await expect(opened).rejects.toThrow(loop);
  });

  it('resolves a relative directory against the working directory', async () => {
    const { root } = await ground();
    const { directories } = await Roots.open([path.relative(process.cwd(), root)]);
    expect(directories).toEqual([{ path: root, realPath: root, uri: pathToFileURL(root).href }]);
  });

  it('encodes the URI of a directory with spaces', async () => {
    const directory = path.join(await temporaryDirectory(), 'my files');
    await write(path.join(directory, 'a.txt'));
    const roots = await Roots.open([directory]);
    expect(roots.directories[0]?.uri).toMatch(/\/my%20files$/);
  });

  it('keeps the order and both names of each directory', async () => {
    const { root, outside } = await ground();
    const link = path.join(path.dirname(root), 'link');
    await symlink(root, link);
    const { directories } = await Roots.open([link, outside]);
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
    expect(await roots.existing(given)).toMatchObject({ real: root, shown: root, exists: true });
    expect(await roots.creatable(given)).toMatchObject({ real: root, shown: root, exists: true });
  });

  it('is where relative paths start, if it is the first', async () => {
    const { root, outside } = await ground();
    const roots = await Roots.open([outside, root]);
    expect(await roots.existing('secret.txt')).toMatchObject({ real: path.join(outside, 'secret.txt') });
    expect(await outcome(roots.existing('ok.txt'))).toBe('NOT_FOUND');
    expect(await roots.existing(path.join(root, 'ok.txt'))).toMatchObject({ real: path.join(root, 'ok.txt') });
  });

  it('may be reached from another one by ".." and by a link', async () => {
    const { root, outside } = await ground();
    await symlink(outside, path.join(root, 'link'));
    const roots = await Roots.open([root, outside]);
    const real = path.join(outside, 'secret.txt');
    expect(await roots.existing('../../outside/secret.txt')).toMatchObject({ real, shown: real });
    expect(await roots.existing('link/secret.txt')).toMatchObject({ real, shown: path.join(root, 'link/secret.txt') });
  });

  it('is needed for any path', async () => {
    const roots = await Roots.open([]);
    for (const given of ['ok.txt', '/etc/passwd', '', '.']) {
      expect(await outcome(roots.existing(given))).toBe('ROOTS_REQUIRED');
      expect(await outcome(roots.creatable(given))).toBe('ROOTS_REQUIRED');
    }
  });
});

describe('a root that is a link', () => {
  async function linked(): Promise<{ readonly root: string; readonly link: string; readonly roots: Roots }> {
    const { root } = await ground();
    const link = path.join(path.dirname(root), 'link');
    await symlink(root, link);
    return { root, link, roots: await Roots.open([link]) };
  }

  it.each(['ok.txt', 'a/b.txt', '.'])('is reached by both names: %s', async (name) => {
    const { root, link, roots } = await linked();
    const verified = { real: path.join(root, name), shown: path.join(link, name), exists: true };
    expect(await roots.existing(name)).toMatchObject(verified);
    expect(await roots.existing(path.join(link, name))).toMatchObject(verified);
    expect(await roots.existing(path.join(root, name))).toMatchObject(verified);
  });

  it('is where things are created by both names', async () => {
    const { root, link, roots } = await linked();
    const verified = { real: path.join(root, 'new.txt'), shown: path.join(link, 'new.txt'), exists: false };
    expect(await roots.creatable(path.join(link, 'new.txt'))).toMatchObject(verified);
    expect(await roots.creatable(path.join(root, 'new.txt'))).toMatchObject(verified);
  });

  it('has no siblings by either name', async () => {
    const { root, link, roots } = await linked();
    await write(`${link}_evil/x`, `${root}_evil/x`);
    expect(await outcome(roots.existing(`${link}_evil/x`))).toBe('PATH_OUTSIDE_ROOTS');
    expect(await outcome(roots.existing(`${root}_evil/x`))).toBe('PATH_OUTSIDE_ROOTS');
    expect(await outcome(roots.creatable('../x'))).toBe('PATH_OUTSIDE_ROOTS');
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
    const file = path.join(root, 'a/new.txt');
    expect(await roots.creatable('a/new.txt')).toMatchObject({ real: file, shown: file, exists: false });
  });

  it('may not be created where its directory is missing, with the nearest name', async () => {
    const { roots } = await ground();
    expect(await refusal(roots.creatable('aa/new.txt'))).toMatchObject({ code: 'NOT_FOUND', hint: 'did you mean "a"?' });
  });
});
