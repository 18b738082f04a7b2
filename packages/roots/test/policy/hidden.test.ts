import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { Roots } from '../../src/index.ts';
import { outcome, refusal, temporaryDirectory, write } from '../ground.ts';

const DENIED = 'DENIED_BY_POLICY';

describe('a directory of the server itself, inside a root,', () => {
  it.each([
    ['itself', 'deep/state'],
    ['what is in it', 'deep/state/journal'],
    ['what is not in it', 'deep/state/missing'],
    ['by a link to it', 'link/journal'],
    ['by a link to a directory above', 'above/state/journal'],
  ])('cannot be read: %s', async (_, given) => {
    const root = await temporaryDirectory();
    await write(path.join(root, 'deep/state/journal'));
    await symlink('deep/state', path.join(root, 'link'));
    await symlink('deep', path.join(root, 'above'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'deep/state')], allow: ['**', 'journal'] });
    expect(await outcome(roots.existing(given))).toBe(DENIED);
    await expect(roots.openFile(given)).rejects.toMatchObject({ code: DENIED });
    await expect(roots.placeToWrite(given)).rejects.toMatchObject({ code: DENIED });
    await expect(roots.makeDirectories(given)).rejects.toMatchObject({ code: DENIED });
  });

  it('is not to be seen among the names around it', async () => {
    const root = await temporaryDirectory();
    await write(path.join(root, 'state/journal'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'state')] });
    await using directory = await roots.openDirectory('.');
    expect(directory.isDenied('state')).toBe(true);
    expect((await refusal(roots.existing('stat'))).hint).toBeUndefined();
  });

  it('stays where it is, with the directories above it', async () => {
    const root = await temporaryDirectory();
    await write(path.join(root, 'deep/state/journal'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'deep/state')] });
    await using place = await roots.placeToMove('deep');
    await expect(place.directory.rename('deep', place.directory, 'other')).rejects.toMatchObject({ code: DENIED });
    await expect(place.directory.removeDirectory('deep')).rejects.toMatchObject({ code: DENIED });
  });

  it('is hidden before it is made, also where a link leads to it', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'real'));
    await symlink('real', path.join(root, 'link'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'link/state')] });
    await write(path.join(root, 'real/state/journal'));
    expect(await outcome(roots.existing('real/state/journal'))).toBe(DENIED);
    expect(await outcome(roots.existing('link/state'))).toBe(DENIED);
  });

  it('is hidden from clients that have it as their root', async () => {
    const root = await temporaryDirectory();
    await write(path.join(root, 'state/journal'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'state')] });
    const call = await roots.narrowedTo([`file://${root}/state`]);
    expect(await outcome(call.existing('journal'))).toBe(DENIED);
  });
});
