import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { zipOf } from '../../fixtures/archives.ts';
import { connectAll, rewindTo } from '../../fixtures/rewinds.ts';
import { temporaryDirectory } from '../../fixtures/temporary.ts';
import { treeOf } from '../../fixtures/trees.ts';

const MANY = 60;

function listNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `file-${index}`);
}

/** Sets a checkpoint and writes files after it. */
async function writeAfterCheckpoint(session: Session, count: number): Promise<void> {
  await session.text('checkpoint', { name: 'start' });
  for (const name of listNames(count)) await session.text('write_file', { path: name, content: name });
}

async function rootWithArchive(count: number): Promise<string> {
  const root = await temporaryDirectory();
  await writeFile(path.join(root, 'a.zip'), zipOf(listNames(count).map((name) => ({ name, content: name }))));
  return root;
}

describe.each(ERAS)('the progress on a %s connection', (era) => {
  it('of rewind counts changes, then prepared and made steps', async () => {
    await using session = await connectAll(await temporaryDirectory(), {}, era);
    await writeAfterCheckpoint(session, 3);
    const { progress, result } = session.start('rewind', { to: 'start', apply: true });
    await result;
    expect(progress.all[0]).toMatchObject({ progress: 1, total: 3 });
    expect(progress.all.at(-1)).toMatchObject({ progress: 9, total: 9 });
  });

  it('of a plan of rewind counts changes only', async () => {
    await using session = await connectAll(await temporaryDirectory(), {}, era);
    await writeAfterCheckpoint(session, 3);
    const { progress, result } = session.start('rewind', { to: 'start' });
    await result;
    expect(progress.all.at(-1)).toMatchObject({ progress: 3, total: 3 });
  });

  it('of extract_archive counts files, then prepared and made steps', async () => {
    await using session = await connectAll(await rootWithArchive(3), {}, era);
    const { progress, result } = session.start('extract_archive', { path: 'a.zip', destination: 'out' });
    await result;
    expect(progress.all[0]).toMatchObject({ progress: 1, total: 3 });
    expect(progress.all.at(-1)).toMatchObject({ progress: 5, total: 5 });
  });
});

describe.each(ERAS)('a call that is cancelled after its first progress report on a %s connection', (era) => {
  it('changes nothing, records nothing and can be repeated and undone: rewind', async () => {
    const root = await temporaryDirectory();
    await using session = await connectAll(root, {}, era);
    await writeAfterCheckpoint(session, MANY);
    const before = await treeOf(root);
    const call = session.start('rewind', { to: 'start', apply: true });
    await call.progress.next();
    call.cancel();
    await expect(call.result).rejects.toThrow();
    expect(await treeOf(root)).toEqual(before);
    // If the cancelled rewind had been recorded, this rewind would undo one more change.
    const { changes, undoId } = await rewindTo(session, 'start');
    expect(changes).toBe(MANY);
    expect(await treeOf(root)).toEqual({});
    await session.text('undo_change', { undoId });
    expect(await treeOf(root)).toEqual(before);
  });

  it('changes nothing, records nothing and can be repeated and undone: extract_archive', async () => {
    const root = await rootWithArchive(MANY);
    await using session = await connectAll(root, {}, era);
    const before = await treeOf(root);
    const args = { path: 'a.zip', destination: 'out' };
    const call = session.start('extract_archive', args);
    await call.progress.next();
    call.cancel();
    await expect(call.result).rejects.toThrow();
    expect(await treeOf(root)).toEqual(before);
    // This call would fail with ALREADY_EXISTS if the cancelled extraction had created a file.
    const { structuredContent } = await session.call('extract_archive', args);
    expect(await readFile(path.join(root, 'out', 'file-0'), 'utf8')).toBe('file-0');
    const { undoId } = structuredContent as { readonly undoId: string };
    expect(await session.text('list_changes', {})).not.toMatch(/extract_archive[^]*extract_archive/);
    await session.text('undo_change', { undoId });
    expect(await treeOf(root)).toEqual(before);
  });
});
