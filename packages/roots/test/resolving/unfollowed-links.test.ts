import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { createFixture, GUARANTEES, openRoots, getOutcome, getRefusal, formatError, type RootFixture } from '../fixtures.ts';
import {
  OUTCOMES,
  listNames,
  withLinkOutcomes,
  OPERATIONS,
  outcomes,
  collectOutcomes,
  readFile as readThrough,
} from '../operations.ts';

const DENIED = outcomes('DENIED_BY_POLICY');

/** Each test case has the kind of a link's target, and a function that returns the text of the link. */
const TARGETS: readonly (readonly [attack: string, target: (at: RootFixture) => string])[] = [
  ['a directory', () => 'a'],
  ['a directory by its absolute path', ({ root }) => path.join(root, 'a')],
  ['the root', () => '.'],
  ['a file', () => 'ok.txt'],
  ['a directory outside', ({ outside }) => outside],
  ['a file outside', ({ outside }) => path.join(outside, 'secret.txt')],
  ['a missing file', () => 'missing'],
  ['a missing file outside', ({ outside }) => path.join(outside, 'missing')],
  ['itself', () => 'link'],
];

/** A program that swaps a directory and a link until it is killed. */
const EXCHANGE = `
  const { renameSync } = require('node:fs');
  for (;;) {
    renameSync('d', 'away'); renameSync('link', 'd');
    renameSync('d', 'link'); renameSync('away', 'd');
    process.stdout.write('.');
  }`;

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('roots with followSymlinks: false (guarantee %s)', (guarantee) => {
  const prepare = (target: (at: RootFixture) => string) => async (): Promise<RootFixture> => {
    const at = await createFixture({ guarantee, followSymlinks: false });
    await symlink(target(at), path.join(at.root, 'link'));
    return at;
  };

  it.each(TARGETS)('reject a link to %s with the same text, but move and delete the link itself', async (_, target) => {
    expect(await collectOutcomes(prepare(target), () => 'link')).toEqual(withLinkOutcomes(DENIED));
    const { roots } = await prepare(target)();
    expect(formatError(await getRefusal(roots.openFile('link')))).toBe(
      'DENIED_BY_POLICY: access to "link" is denied: it contains a symbolic link, and symbolic links are not followed',
    );
  });

  it.each(TARGETS)('reject a path through a link to %s, whether or not the target exists', async (_, target) => {
    for (const leaf of ['b.txt', 'secret.txt', 'new/newer'])
      expect(await collectOutcomes(prepare(target), () => `link/${leaf}`), leaf).toEqual(DENIED);
  });

  it('access paths without links as usual', async () => {
    const at = prepare(() => 'a');
    expect(await collectOutcomes(at, () => 'a/b.txt')).toEqual(OUTCOMES.file);
    expect(await collectOutcomes(at, ({ root }) => path.join(root, 'a'))).toEqual(OUTCOMES.directory);
    expect(await collectOutcomes(at, () => 'new/newer')).toEqual(OUTCOMES['nothing in nothing']);
  });

  it('list a link with its text', async () => {
    const { roots } = await prepare(() => 'a')();
    await using directory = await roots.openDirectory('.');
    expect(await listNames(directory)).toEqual(['a', 'link', 'ok.txt']);
    expect(await directory.readLink('link')).toBe('a');
  });

  it('accept a root that the operator or a client names by a link', async () => {
    const { base, root } = await createFixture();
    await symlink(root, path.join(base, 'link'));
    const roots = await openRoots([path.join(base, 'link')], { guarantee, followSymlinks: false });
    expect(await readThrough(roots, path.join(base, 'link/ok.txt'))).toBe('ok.txt');
    expect(await readThrough(roots, path.join(root, 'ok.txt'))).toBe('ok.txt');
    const narrowed = await roots.narrowedTo([`file://${path.join(base, 'link/a')}`]);
    expect(await readThrough(narrowed, 'b.txt')).toBe('b.txt');
  });

  it('do not follow a link that replaces a directory during the call', async () => {
    const { root, roots } = await createFixture({ guarantee, followSymlinks: false });
    for (const directory of ['d', 'other']) await mkdir(path.join(root, directory));
    await writeFile(path.join(root, 'd/f'), 'own');
    await writeFile(path.join(root, 'other/f'), 'other');
    await symlink('other', path.join(root, 'link'));
    const exchanging = spawn(process.execPath, ['-e', EXCHANGE], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<void>((resolve) => exchanging.once('exit', () => resolve()));
    onTestFinished(() => ended);
    onTestFinished(() => void exchanging.kill('SIGKILL'));
    await new Promise((resolve) => exchanging.stdout.once('data', resolve));
    exchanging.stdout.resume();
    const seen = new Set<string>();
    for (let attempt = 0; attempt < 1500 || !seen.has('own') || !seen.has('DENIED_BY_POLICY'); attempt += 1) {
      const read = readThrough(roots, 'd/f');
      seen.add(await read.catch(() => getOutcome(read)));
    }
    expect(seen).not.toContain('other');
  });
});

describe.skipIf(process.platform === 'win32')('roots with default options', () => {
  it('follow links inside the roots', async () => {
    const { root, roots } = await createFixture();
    await symlink('a', path.join(root, 'link'));
    expect(await readThrough(roots, 'link/b.txt')).toBe('b.txt');
    await OPERATIONS.write(roots, 'link/new.txt');
    expect(await readFile(path.join(root, 'a/new.txt'), 'utf8')).toBe('written');
    expect([await readlink(path.join(root, 'link')), await readdir(root)]).toEqual(['a', ['a', 'link', 'ok.txt']]);
    expect(await realpath(path.join(root, 'link'))).toBe(path.join(root, 'a'));
  });
});
