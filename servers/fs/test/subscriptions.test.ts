import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from './temporary.ts';

function uriOf(...parts: readonly string[]): string {
  return pathToFileURL(path.join(...parts)).href;
}

describe.each(ERAS)('a subscription to a file, on a %s connection,', (era) => {
  it.each<readonly [string, (file: string) => Promise<unknown>]>([
    ['is written in place', (file) => writeFile(file, 'new')],
    ['is replaced by a rename', (file) => writeFile(`${file}.tmp`, 'new').then(() => rename(`${file}.tmp`, file))],
    ['is deleted', (file) => rm(file)],
  ])('brings one update when it %s', async (_, change) => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'a.txt');
    await writeFile(file, 'old');
    await using session = await connectFiles({ directories: [root] }, era);
    await using updates = await session.subscribe(uriOf(file));
    await change(file);
    await updates.next();
    await writeFile(file, 'and again, so that a second update of the first change would have come before');
    await updates.next();
    expect(updates.count).toBe(2);
  });

  it('says nothing of its neighbours', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.txt'), 'a');
    await using session = await connectFiles({ directories: [root] }, era);
    await using updates = await session.subscribe(uriOf(root, 'a.txt'));
    await writeFile(path.join(root, 'b.txt'), 'b');
    await session.text('write_file', { path: 'a.txt', content: 'changed' });
    await updates.next();
    expect(updates.count).toBe(1);
  });
});

describe.each(ERAS)('a subscription to a directory, on a %s connection,', (era) => {
  it('brings an update when an entry is added or removed', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'sub'));
    await using session = await connectFiles({ directories: [root] }, era);
    await using updates = await session.subscribe(uriOf(root, 'sub'));
    await writeFile(path.join(root, 'sub/a.txt'), 'a');
    await updates.next();
    await rm(path.join(root, 'sub/a.txt'));
    await updates.next();
    expect(updates.count).toBe(2);
  });
});

describe.each(ERAS)('a subscription outside the directories, on a %s connection,', (era) => {
  it('is refused', async () => {
    const base = await temporaryDirectory();
    await mkdir(path.join(base, 'root'));
    await writeFile(path.join(base, 'outside.txt'), 'x');
    await using session = await connectFiles({ directories: [path.join(base, 'root')] }, era);
    await expect(session.subscribe(uriOf(base, 'outside.txt'))).rejects.toThrow();
    await expect(session.subscribe('https://example.org/')).rejects.toThrow();
  });
});
