import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ground, GUARANTEES, opened, outcome, refusal, visible, type Ground } from './ground.ts';
import { MEETS, namesIn, ofLink, OPERATIONS, outcomes, outcomesOf, readFile as readThrough } from './operations.ts';

const DENIED = outcomes('DENIED_BY_POLICY');

/** What a link says, and how long is looked at what it leads to. */
const TARGETS: readonly (readonly [attack: string, target: (at: Ground) => string])[] = [
  ['a directory', () => 'a'],
  ['a directory, absolutely', ({ root }) => path.join(root, 'a')],
  ['the root', () => '.'],
  ['a file', () => 'ok.txt'],
  ['a directory outside', ({ outside }) => outside],
  ['a file outside', ({ outside }) => path.join(outside, 'secret.txt')],
  ['nothing', () => 'missing'],
  ['nothing outside', ({ outside }) => path.join(outside, 'missing')],
  ['itself', () => 'link'],
];

/** Exchanges a directory and a link for each other until it is ended. */
const EXCHANGE = `
  const { renameSync } = require('node:fs');
  for (;;) {
    renameSync('d', 'away'); renameSync('link', 'd');
    renameSync('d', 'link'); renameSync('away', 'd');
    process.stdout.write('.');
  }`;

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('held as %s, where links are not followed,', (guarantee) => {
  const prepare = (target: (at: Ground) => string) => async (): Promise<Ground> => {
    const at = await ground({ guarantee, followSymlinks: false });
    await symlink(target(at), path.join(at.root, 'link'));
    return at;
  };

  it.each(TARGETS)('a link to %s is refused, in the same words, and can itself be moved and deleted', async (_, target) => {
    expect(await outcomesOf(prepare(target), () => 'link')).toEqual(ofLink(DENIED));
    const { roots } = await prepare(target)();
    expect(visible(await refusal(roots.openFile('link')))).toBe(
      'DENIED_BY_POLICY: "link" may not be touched: it goes through a symbolic link, and those are not followed',
    );
  });

  it.each(TARGETS)('a path through a link to %s is refused, whether it leads to something or not', async (_, target) => {
    for (const leaf of ['b.txt', 'secret.txt', 'new/newer'])
      expect(await outcomesOf(prepare(target), () => `link/${leaf}`), leaf).toEqual(DENIED);
  });

  it('what lies behind no link is touched as ever', async () => {
    const at = prepare(() => 'a');
    expect(await outcomesOf(at, () => 'a/b.txt')).toEqual(MEETS.file);
    expect(await outcomesOf(at, ({ root }) => path.join(root, 'a'))).toEqual(MEETS.directory);
    expect(await outcomesOf(at, () => 'new/newer')).toEqual(MEETS['nothing in nothing']);
  });

  it('a link is listed, with what it says', async () => {
    const { roots } = await prepare(() => 'a')();
    await using directory = await roots.openDirectory('.');
    expect(await namesIn(directory)).toEqual(['a', 'link', 'ok.txt']);
    expect(await directory.readLink('link')).toBe('a');
  });

  it('a root may itself be named by a link, by the operator and by a client', async () => {
    const { base, root } = await ground();
    await symlink(root, path.join(base, 'link'));
    const roots = await opened([path.join(base, 'link')], { guarantee, followSymlinks: false });
    expect(await readThrough(roots, path.join(base, 'link/ok.txt'))).toBe('ok.txt');
    expect(await readThrough(roots, path.join(root, 'ok.txt'))).toBe('ok.txt');
    const narrowed = await roots.narrowedTo([`file://${path.join(base, 'link/a')}`]);
    expect(await readThrough(narrowed, 'b.txt')).toBe('b.txt');
  });

  it('one that takes the place of a directory meanwhile is not followed', async () => {
    const { root, roots } = await ground({ guarantee, followSymlinks: false });
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
      seen.add(await read.catch(() => outcome(read)));
    }
    expect(seen).not.toContain('other');
  });
});

describe.skipIf(process.platform === 'win32')('links', () => {
  it('are followed inside the roots unless that is said', async () => {
    const { root, roots } = await ground();
    await symlink('a', path.join(root, 'link'));
    expect(await readThrough(roots, 'link/b.txt')).toBe('b.txt');
    await OPERATIONS.write(roots, 'link/new.txt');
    expect(await readFile(path.join(root, 'a/new.txt'), 'utf8')).toBe('written');
    expect([await readlink(path.join(root, 'link')), await readdir(root)]).toEqual(['a', ['a', 'link', 'ok.txt']]);
    expect(await realpath(path.join(root, 'link'))).toBe(path.join(root, 'a'));
  });
});
