import { chmod, mkdir, readdir, readFile, readlink, rename, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Roots } from '@org/mcp-roots';
import { describe, expect, it } from 'vitest';

import { writeAtomically } from '../../src/storage/write-atomically.ts';
import { temporaryDirectory } from '../fixtures/temporary.ts';

describe('an atomic write', () => {
  it('creates a file and leaves no other file behind', async () => {
    const root = await temporaryDirectory();
    const roots = await Roots.open([root]);
    await writeAtomically(await roots.findEntryToWrite('new.txt'), Buffer.from('content'));
    expect(await readFile(path.join(root, 'new.txt'), 'utf8')).toBe('content');
    expect(await readdir(root)).toEqual(['new.txt']);
  });

  it.each([0o600, 0o755, 0o640])('keeps the mode %o of the file it replaces', async (mode) => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'file');
    await writeFile(file, 'old');
    await chmod(file, mode);
    const roots = await Roots.open([root]);
    await writeAtomically(await roots.findEntryToWrite('file'), Buffer.from('new'));
    expect((await stat(file)).mode & 0o777).toBe(mode);
  });

  it('keeps a link and replaces its target', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'target'), 'old');
    await symlink('target', path.join(root, 'link'));
    const roots = await Roots.open([root]);
    await writeAtomically(await roots.findEntryToWrite('link'), Buffer.from('new'));
    expect(await readlink(path.join(root, 'link'))).toBe('target');
    expect(await readFile(path.join(root, 'target'), 'utf8')).toBe('new');
  });

  it('removes its temporary file and keeps the original if it fails', async () => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'file');
    await writeFile(file, 'old');
    const roots = await Roots.open([root]);
    const target = await roots.findEntryToWrite('file');
    await rename(file, path.join(root, 'moved'));
    await mkdir(file);
    await expect(writeAtomically(target, Buffer.from('new'))).rejects.toThrow();
    expect((await readdir(root)).sort()).toEqual(['file', 'moved']);
    expect(await readFile(path.join(root, 'moved'), 'utf8')).toBe('old');
  });

  it('never shows a mixture of old and new content to readers', async () => {
    const root = await temporaryDirectory();
    const contents = ['a', 'b'].map((letter) => letter.repeat(500_000));
    const roots = await Roots.open([root]);
    await writeAtomically(await roots.findEntryToWrite('file'), Buffer.from(contents[0] ?? ''));
    const target = await roots.findEntryToWrite('file');
    const writing = (async () => {
      for (let round = 0; round < 20; round += 1) await writeAtomically(target, Buffer.from(contents[round % 2] ?? ''));
    })();
    for (let round = 0; round < 50; round += 1) expect(contents).toContain(await readFile(path.join(root, 'file'), 'utf8'));
    await writing;
  });
});
