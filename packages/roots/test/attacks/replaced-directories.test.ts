import { mkdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { OpenDirectory } from '../../src/index.ts';
import { createFixture, GUARANTEES, requireToolError, type RootFixture } from '../fixtures.ts';
import { snapshotBesideRoot, listNames } from '../operations.ts';

/** Operations of a verified directory. Each one that reads resolves to what it has read. */
const USES: Readonly<Record<string, (directory: OpenDirectory, other: OpenDirectory) => Promise<unknown>>> = {
  entries: listNames,
  facts: async (directory) => (await directory.facts('secret.txt'))?.size,
  'a link': (directory) => directory.readLink('link'),
  'an open file': async (directory) => {
    await using file = await directory.openFile('secret.txt');
    return (await file.readAt(0, 64)).toString();
  },
  'an open directory': async (directory) => {
    await using inner = await directory.openDirectory('inner');
    return await listNames(inner);
  },
  'a new file': async (directory) => {
    await using file = await directory.newFile();
    await file.write(Buffer.from('new'));
    await file.saveAs('new.txt');
  },
  'a new directory': (directory) => directory.makeDirectory('new'),
  'a rename inside': (directory) => directory.rename('secret.txt', directory, 'renamed.txt'),
  'a rename out of it': (directory, other) => directory.rename('secret.txt', other, 'renamed.txt'),
  'a rename into it': (directory, other) => other.rename('ok.txt', directory, 'renamed.txt'),
  'a rename into it that replaces': (directory, other) => other.rename('ok.txt', directory, 'secret.txt'),
  'a rename into it that replaces nothing': (directory, other) => other.renameNew('ok.txt', directory, 'renamed.txt'),
  'a removal': (directory) => directory.unlink('secret.txt'),
  'a removal of a directory': (directory) => directory.removeDirectory('empty'),
  'new times': (directory) => directory.setTimes('secret.txt', new Date(0), new Date(0)),
  'a flush': (directory) => directory.flush(),
};

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('a verified directory (guarantee %s)', (guarantee) => {
  describe.each(Object.entries(USES))('after it was replaced by a link to outside: %s', (_, use) => {
    it('is still the verified directory, or fails', async () => {
      const at = await prepareFixture();
      await using directory = await at.roots.openDirectory('a');
      await using other = await at.roots.openDirectory('.');
      await rename(path.join(at.root, 'a'), path.join(at.root, 'away'));
      await symlink(at.outside, path.join(at.root, 'a'));
      await expectSameOrNothing(at, use(directory, other));
    });

    it('is still the verified directory, or fails, if a parent was replaced', async () => {
      const at = await prepareFixture();
      await using directory = await at.roots.openDirectory('above/a');
      await using other = await at.roots.openDirectory('.');
      await rename(path.join(at.root, 'above'), path.join(at.root, 'away'));
      await symlink(path.dirname(at.outside), path.join(at.root, 'above'));
      await rename(at.outside, path.join(path.dirname(at.outside), 'a'));
      await expectSameOrNothing(at, use(directory, other));
    });
  });

  it('does not write into the directory that now has its name', async () => {
    const at = await prepareFixture();
    await using place = await at.roots.findEntryToWrite('a/ok.txt');
    await using file = await place.directory.newFile();
    await file.write(Buffer.from('new'));
    await rename(path.join(at.root, 'a'), path.join(at.root, 'away'));
    await symlink(at.outside, path.join(at.root, 'a'));
    await expectSameOrNothing(at, file.saveAs(place.name));
  });

  it('does not follow a link that replaced a file', async () => {
    const at = await prepareFixture();
    await using directory = await at.roots.openDirectory('a');
    await unlink(path.join(at.root, 'a/secret.txt'));
    await symlink(path.join(at.outside, 'secret.txt'), path.join(at.root, 'a/secret.txt'));
    await expect(directory.openFile('secret.txt')).rejects.toMatchObject({ code: expect.stringMatching(/^[A-Z_]+$/) });
    await expect(directory.openDirectory('inner-link')).rejects.toMatchObject({ code: expect.stringMatching(/^[A-Z_]+$/) });
  });

  it('keeps an open file unchanged when another file takes its name', async () => {
    const at = await prepareFixture();
    await using file = await at.roots.openFile('a/secret.txt');
    await rm(path.join(at.root, 'a/secret.txt'));
    await symlink(path.join(at.outside, 'secret.txt'), path.join(at.root, 'a/secret.txt'));
    expect((await file.readAt(0, 64)).toString()).toBe('inside');
  });

  /** Creates `a` and `above/a`, which have the same structure as `outside`. Only `outside` contains the text `OUTSIDE`. */
  async function prepareFixture(): Promise<RootFixture> {
    const at = await createFixture({ guarantee });
    for (const [directory, text] of [
      [path.join(at.root, 'a'), 'inside'],
      [path.join(at.root, 'above/a'), 'inside'],
      [at.outside, 'OUTSIDE'],
    ] as const) {
      await mkdir(path.join(directory, 'inner', text), { recursive: true });
      await mkdir(path.join(directory, 'empty'));
      await writeFile(path.join(directory, 'secret.txt'), text);
      await writeFile(path.join(directory, text), '');
      await symlink(text, path.join(directory, 'link'));
      await symlink('inner', path.join(directory, 'inner-link'));
    }
    return at;
  }

  /** Checks that nothing outside was read or changed. Unless the guarantee is `pinned`, the operation may fail. */
  async function expectSameOrNothing(at: RootFixture, use: Promise<unknown>): Promise<void> {
    const before = snapshotBesideRoot(at);
    const seen = await (guarantee === 'pinned' ? use : use.catch((error: unknown) => requireToolError(error).text));
    expect(String(seen)).not.toContain('OUTSIDE');
    expect(seen).not.toBe(BigInt('OUTSIDE'.length));
    expect(snapshotBesideRoot(at)).toEqual(before);
  }
});
