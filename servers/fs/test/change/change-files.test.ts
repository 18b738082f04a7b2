import { DocumentCache } from '../../src/documents/document-cache.ts';
import { ConversionSlots } from '../../src/conversion/conversion-slots.ts';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Roots } from '@org/mcp-roots';
import { describe, expect, it } from 'vitest';

import type { Files } from '../../src/tools/files.ts';
import { ThreadPool } from '../../src/threads/thread-pool.ts';
import { withFiles } from '../../src/change/with-targets.ts';
import { changeFiles, type ChangedFiles } from '../../src/change/change-files.ts';
import { ChangeSupport } from '../../src/change/change-support.ts';
import type { Content } from '../../src/storage/write-atomically.ts';
import { treeOf } from '../fixtures/tree-of.ts';
import { optionsWith, temporaryState } from '../fixtures/temporary.ts';

interface Ground extends AsyncDisposable {
  readonly root: string;
  readonly state: string;
  readonly files: Files;
}

async function ground(given: Partial<Files['limits']> & { readonly maxJournalBytes?: number } = {}): Promise<Ground> {
  const root = await treeOf({ a: 'old a', b: 'old b', c: 'old c' });
  const state = temporaryState();
  const options = optionsWith({ durability: 'fast', ...given });
  const roots = await Roots.open([root]);
  const changes = new ChangeSupport(state, options);
  const threads = new ThreadPool();
  return {
    root,
    state,
    files: {
      roots,
      changes,
      threads,
      conversions: new ConversionSlots(),
      documents: new DocumentCache(),
      limits: options,
      defaultFilters: options,
    },
    async [Symbol.asyncDispose]() {
      await threads[Symbol.asyncDispose]();
      await changes[Symbol.asyncDispose]();
      await roots[Symbol.asyncDispose]();
    },
  };
}

/** Changes the files to these contents, as one change of the journal. */
function change({ files }: Ground, contents: readonly (readonly [name: string, content: Content])[]): Promise<ChangedFiles> {
  const { signal } = new AbortController();
  const asked = contents.map(([name]) => ({ path: name }));
  return withFiles(files, asked, signal, (targets) => {
    const wanted = targets.map((target, index) => ({ target, content: contents[index]?.[1] ?? Buffer.alloc(0) }));
    return changeFiles(files, 'replace_in_files', wanted, signal);
  });
}

async function textsIn({ root }: Ground): Promise<readonly string[]> {
  return Promise.all((await readdir(root)).sort().map((name) => readFile(path.join(root, name), 'utf8')));
}

async function idsOf({ files }: Ground): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of files.changes.journal.list()) ids.push(id);
  return ids;
}

async function* after(happens: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('new');
  await happens();
}

const NEW = Buffer.from('new');

describe('several files that are changed together', () => {
  it('are recorded as one change', async () => {
    await using place = await ground();
    const { etags, undoId } = await change(place, [
      ['a', NEW],
      ['b', NEW],
    ]);
    expect(await textsIn(place)).toEqual(['new', 'new', 'old c']);
    expect([new Set(etags).size, await idsOf(place)]).toEqual([2, [undoId]]);
  });

  it.each([
    ['is changed', (file: string) => writeFile(file, 'mine'), ['old a', 'mine', 'old c']],
    ['is removed', (file: string) => rm(file), ['old a', 'old c']],
  ])('all stay unchanged if one of them %s while the others are written', async (_, meanwhile, expected) => {
    await using place = await ground();
    const changed = change(place, [
      ['a', after(() => meanwhile(path.join(place.root, 'b')))],
      ['b', NEW],
    ]);
    await expect(changed).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/; nothing was changed$/) });
    expect(await textsIn(place)).toEqual(expected);
    expect(await idsOf(place)).toEqual([]);
  });

  it('are restored if a later file fails', async () => {
    await using place = await ground();
    // The second change of `a` fails, because the first one has replaced the content that was read.
    const changed = change(place, [
      ['a', NEW],
      ['b', NEW],
      ['a', NEW],
    ]);
    await expect(changed).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `"${place.root}/a" was changed after it was read; nothing was changed: the files that had already been replaced (2) were restored`,
    });
    expect(await textsIn(place)).toEqual(['old a', 'old b', 'old c']);
    expect(await idsOf(place)).toEqual([]);
  });

  it('are named in the error if they cannot be restored, with a remedy', async () => {
    await using place = await ground();
    const damage = async (): Promise<void> => {
      const contents = await readdir(path.join(place.state, 'contents'), { recursive: true, withFileTypes: true });
      for (const entry of contents) if (entry.isFile()) await writeFile(path.join(entry.parentPath, entry.name), 'others');
    };
    const changed = change(place, [
      ['a', NEW],
      ['a', after(damage)],
    ]);
    const left = `these files could not be restored and contain the new text: "${place.root}/a"; undo_change with `;
    await expect(changed).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining(left) });
    expect(await textsIn(place)).toEqual(['new', 'old b', 'old c']);
    expect(await idsOf(place)).toHaveLength(1);
  });

  it('are not changed if the change could not be undone', async () => {
    await using place = await ground({ maxJournalBytes: 8 });
    const changed = change(place, [
      ['a', NEW],
      ['b', NEW],
    ]);
    await expect(changed).rejects.toMatchObject({ code: 'TOO_LARGE', message: expect.stringContaining('have 10 bytes') });
    expect(await textsIn(place)).toEqual(['old a', 'old b', 'old c']);
  });

  it('are locked in a fixed order, which prevents deadlocks', async () => {
    await using place = await ground();
    const orders = ['abc', 'cba', 'bac', 'cab'].map((names) => Array.from(names, (name) => [name, NEW] as const));
    const ends = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => change(place, orders[index % 4] ?? [])));
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  });
});
