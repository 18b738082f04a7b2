import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { Roots } from '../../src/index.ts';
import { temporaryDirectory } from '../fixtures.ts';

const NOBODY = 65_534;

/** Switches from root to another user until the test ends, because permissions do not restrict root. */
function becomeNobody(): void {
  if (process.geteuid?.() !== 0) return;
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  onTestFinished(() => {
    process.seteuid?.(0);
    process.setegid?.(0);
  });
}

/**
 * Creates a root with the directory `drop`, which contains readable files but cannot be listed. Then switches from root to
 * another user.
 */
async function unlistable(names: readonly string[]): Promise<string> {
  const root = await temporaryDirectory();
  const drop = path.join(root, 'drop');
  await mkdir(drop);
  for (const name of names) await writeFile(path.join(drop, name), name);
  if (process.geteuid?.() === 0) for (const file of [root, drop]) await chown(file, NOBODY, NOBODY);
  await chmod(drop, 0o311);
  onTestFinished(() => chmod(drop, 0o700));
  becomeNobody();
  return root;
}

describe.skipIf(process.platform === 'win32')('a directory that can be entered but not listed', () => {
  it.each(['plain.txt', 'a:b.txt', 'note.', 'note '])('opens the file %j', async (name) => {
    await using roots = await Roots.open([await unlistable([name])]);
    await using file = await roots.openFile(`drop/${name}`);
    expect((await file.readAt(0, 100)).toString()).toBe(name);
    await using place = await roots.findEntryToWrite(`drop/${name}`);
    expect(place.facts?.isFile()).toBe(true);
  });

  it.each([
    ['a stream of another file', 'a', 'a:b'],
    ['another file without the dot at its end', 'note', 'note.'],
    ['a stream of the directory', ':x', ':x'],
    ['another case of a file', 'note', 'NOTE'],
    ['a short name', 'NOTICE~1', 'NOTICE~1'],
    ['another normal form', 'caf\u00e9', 'cafe\u0301'],
  ])('rejects a name that may be %s', async (_, other, name) => {
    await using roots = await Roots.open([await unlistable([other, name])]);
    const attempts = [
      () => roots.openFile(`drop/${name}`),
      () => roots.findEntryToWrite(`drop/${name}`),
      () => roots.findEntry(`drop/${name}`),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({ code: 'IO', message: expect.stringContaining('permission denied') });
  });

  it('is indistinguishable from a missing directory if it is outside', async () => {
    const outside = await unlistable(['note', 'note.']);
    const root = path.join(outside, 'root');
    await mkdir(root);
    await symlink(path.join(outside, 'drop'), path.join(root, 'way'));
    await using roots = await Roots.open([root]);
    for (const name of ['note', 'note.', 'missing.'])
      await expect(roots.openFile(`way/${name}`), name).rejects.toMatchObject({ code: 'PATH_OUTSIDE_ROOTS' });
  });
});
