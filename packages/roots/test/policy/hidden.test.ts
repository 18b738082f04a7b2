import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { Roots } from '../../src/index.ts';
import { getOutcome, getRefusal, temporaryDirectory, write } from '../fixtures.ts';

const DENIED = 'DENIED_BY_POLICY';

describe('a hidden directory inside a root', () => {
  it.each([
    ['the directory itself', 'deep/state'],
    ['a file inside', 'deep/state/journal'],
    ['a file next to it', 'deep/state/missing'],
    ['a file through a link to it', 'link/journal'],
    ['a file through a link to its parent', 'above/state/journal'],
  ])('cannot be read: %s', async (_, given) => {
    const root = await temporaryDirectory();
    await write(path.join(root, 'deep/state/journal'));
    await symlink('deep/state', path.join(root, 'link'));
    await symlink('deep', path.join(root, 'above'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'deep/state')], allow: ['**', 'journal'] });
    expect(await getOutcome(roots.resolveExisting(given))).toBe(DENIED);
    await expect(roots.openFile(given)).rejects.toMatchObject({ code: DENIED });
    await expect(roots.findEntryToWrite(given)).rejects.toMatchObject({ code: DENIED });
    await expect(roots.makeDirectories(given)).rejects.toMatchObject({ code: DENIED });
  });

  it('is not among the suggested names', async () => {
    const root = await temporaryDirectory();
    await write(path.join(root, 'state/journal'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'state')] });
    await using directory = await roots.openDirectory('.');
    expect(directory.isDenied('state')).toBe(true);
    expect((await getRefusal(roots.resolveExisting('stat'))).hint).toBeUndefined();
  });

  it('cannot be moved or removed, and neither can its parents', async () => {
    const root = await temporaryDirectory();
    await write(path.join(root, 'deep/state/journal'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'deep/state')] });
    await using place = await roots.findEntryToMove('deep');
    await expect(place.directory.rename('deep', place.directory, 'other')).rejects.toMatchObject({ code: DENIED });
    await expect(place.directory.removeDirectory('deep')).rejects.toMatchObject({ code: DENIED });
  });

  it('is hidden before it exists, even through a link', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'real'));
    await symlink('real', path.join(root, 'link'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'link/state')] });
    await write(path.join(root, 'real/state/journal'));
    expect(await getOutcome(roots.resolveExisting('real/state/journal'))).toBe(DENIED);
    expect(await getOutcome(roots.resolveExisting('link/state'))).toBe(DENIED);
  });

  it('is hidden from clients that name it as a root', async () => {
    const root = await temporaryDirectory();
    await write(path.join(root, 'state/journal'));
    await using roots = await Roots.open([root], { hidden: [path.join(root, 'state')] });
    const call = await roots.narrowedTo([`file://${root}/state`]);
    expect(await getOutcome(call.resolveExisting('journal'))).toBe(DENIED);
  });
});
