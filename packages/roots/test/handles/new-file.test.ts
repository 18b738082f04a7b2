import { mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { Roots } from '../../src/index.ts';
import { temporaryDirectory } from '../fixtures.ts';

const GUARANTEES = ['pinned', 'rechecked'] as const;

describe.each(GUARANTEES)('an open directory (guarantee %s)', (guarantee) => {
  it('saves a new file under a free name, but not under a taken one', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'taken'), 'old');
    await using roots = await Roots.open([root], { guarantee });
    await using directory = await roots.openDirectory('.');
    const save = async (name: string): Promise<void> => {
      await using file = await directory.newFile();
      await file.write(Buffer.from('new'));
      await file.saveAsNew(name);
    };
    await save('free');
    await expect(save('taken')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect((await readdir(root)).sort()).toEqual(['free', 'taken']);
    expect(await readFile(path.join(root, 'free'), 'utf8')).toBe('new');
    expect(await readFile(path.join(root, 'taken'), 'utf8')).toBe('old');
  });

  it('gives a new file a temporary name with the process id until it is saved', async () => {
    const root = await temporaryDirectory();
    await using roots = await Roots.open([root], { guarantee });
    await using directory = await roots.openDirectory('.');
    await using file = await directory.newFile();
    await file.write(Buffer.from('x'));
    expect(await readdir(root)).toEqual([expect.stringMatching(new RegExp(`^\\.mcp-${process.pid}-[0-9a-f-]{36}\\.tmp$`))]);
  });

  it('creates a link with the given text and never replaces an entry', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'taken'), 'old');
    await using roots = await Roots.open([root], { guarantee });
    await using directory = await roots.openDirectory('.');
    await directory.makeLink('link', '../elsewhere');
    expect(await readlink(path.join(root, 'link'))).toBe('../elsewhere');
    await expect(directory.makeLink('taken', 'x')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(directory.makeLink('a/b', 'x')).rejects.toMatchObject({ code: 'INVALID_PATH' });
  });

  it('sets its own permissions unless it is read-only', async () => {
    const root = await temporaryDirectory();
    for (const name of ['rw', 'ro']) await mkdir(path.join(root, name), { mode: 0o755 });
    const settings = [path.join(root, 'rw'), { path: path.join(root, 'ro'), mode: 'ro' as const }];
    await using roots = await Roots.open(settings, { guarantee });
    await using writable = await roots.openDirectory(path.join(root, 'rw'));
    await using readable = await roots.openDirectory(path.join(root, 'ro'));
    await writable.setMode(0o700);
    await expect(readable.setMode(0o700)).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(readable.makeLink('x', 'y')).rejects.toMatchObject({ code: 'READ_ONLY' });
    expect((await stat(path.join(root, 'rw'))).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(root, 'ro'))).mode & 0o777).toBe(0o755);
  });
});
