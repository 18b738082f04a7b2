import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Roots, type OpenDirectory } from '@org/mcp-roots';
import { describe, expect, it } from 'vitest';

import { SnapshotRestorer } from '../../src/journal/restore.ts';
import { takeSnapshot, type Snapshot } from '../../src/journal/snapshot.ts';
import { ChangeSupport } from '../../src/change/change-support.ts';
import { optionsWith, temporaryDirectory, temporaryState } from '../fixtures/temporary.ts';

interface Scene {
  readonly root: string;
  readonly at: { readonly directory: OpenDirectory; readonly name: string };
  readonly snapshot: Snapshot;
  readonly restoring: SnapshotRestorer;
}

/** Takes a snapshot of a directory `sub` with the files `a`, `b` and `c`, changes the directory, and then runs `work`. */
async function scene(change: (sub: string) => Promise<void>, work: (scene: Scene) => Promise<void>): Promise<void> {
  const root = await temporaryDirectory();
  const sub = path.join(root, 'sub');
  await mkdir(sub);
  for (const name of ['a', 'b', 'c']) await writeFile(path.join(sub, name), name);
  await using roots = await Roots.open([root]);
  await using directory = await roots.openDirectory('.');
  await using changes = new ChangeSupport(temporaryState(), optionsWith({ durability: 'fast' }));
  const { contents } = changes.journal;
  const { signal } = new AbortController();
  const keep = contents.keep.bind(contents);
  const { snapshot } = await takeSnapshot(directory, 'sub', { signal, keep, maxEntries: 10, maxBytes: 1000 });
  await change(sub);
  await work({ root, at: { directory, name: 'sub' }, snapshot, restoring: new SnapshotRestorer(changes, signal) });
}

describe('the removal of an unchanged directory', () => {
  it.each([
    ['a file that was changed', 'CONFLICT', 'b', { a: 'a', b: 'mine', c: 'c' }],
    ['a file that came to it', 'NOT_EMPTY', 'd', { a: 'a', b: 'b', c: 'c', d: 'mine' }],
  ] as const)('keeps %s and restores the entries that were already removed', async (_, code, name, expected) => {
    await scene(
      (sub) => writeFile(path.join(sub, name), 'mine'),
      async ({ root, at, snapshot, restoring }) => {
        await expect(restoring.removeUnchanged(at, snapshot)).rejects.toMatchObject({ code });
        expect(await readdir(path.join(root, 'sub'))).not.toContain('a');
        await restoring.restoreMissing(at, snapshot);
        expect(await contentOf(path.join(root, 'sub'))).toEqual(expected);
      },
    );
  });

  it('removes a directory without changes', async () => {
    await scene(
      () => Promise.resolve(),
      async ({ root, at, snapshot, restoring }) => {
        await restoring.removeUnchanged(at, snapshot);
        expect(await readdir(root)).toEqual([]);
      },
    );
  });
});

async function contentOf(directory: string): Promise<Readonly<Record<string, string>>> {
  const entries = (await readdir(directory)).map(
    async (name) => [name, await readFile(path.join(directory, name), 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
