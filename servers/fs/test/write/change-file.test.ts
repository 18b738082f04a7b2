import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Roots } from '@org/mcp-roots';
import { describe, expect, it } from 'vitest';

import { changeFile, withFile } from '../../src/write/change-file.ts';
import { ThreadPool } from '../../src/walk/thread-pool.ts';
import { Changes } from '../../src/write/changes.ts';
import { optionsWith, temporaryDirectory, temporaryState } from '../temporary.ts';

const MEANWHILE: readonly (readonly [
  what: string,
  before: string | undefined,
  meanwhile: (file: string) => Promise<void>,
  after: string[],
])[] = [
  ['is changed', 'old', (file) => writeFile(file, 'mine'), ['mine']],
  ['is removed', 'old', (file) => rm(file), []],
  ['is made', undefined, (file) => writeFile(file, 'mine'), ['mine']],
];

describe('a file that is written', () => {
  it.each(MEANWHILE)('is a conflict if it %s by others right before', async (_, before, meanwhile, after) => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f');
    if (before !== undefined) await writeFile(file, before);
    const options = optionsWith({});
    await using roots = await Roots.open([root]);
    await using changes = new Changes(temporaryState(), options);
    await using threads = new ThreadPool();
    const files = { roots, changes, threads, limits: options, habits: options };
    const { signal } = new AbortController();
    const written = withFile(files, { path: 'f' }, signal, (target) =>
      changeFile(files, target, { tool: 'write_file', content: contentAfter(() => meanwhile(file)) }, signal),
    );
    await expect(written).rejects.toMatchObject({ code: 'CONFLICT' });
    const left = (await readdir(root)).map((name) => readFile(path.join(root, name), 'utf8'));
    expect(await Promise.all(left)).toEqual(after);
    for await (const change of changes.journal.list()) throw new Error(`${change.id} is kept`);
  });
});

async function* contentAfter(meanwhile: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('new');
  await meanwhile();
}
