import { link, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { chooseRemoved } from '../../src/journal/eviction.ts';
import { connectFiles, temporaryDirectory, temporaryState } from '../fixtures/temporary.ts';
import { undoIdOf } from '../fixtures/trees.ts';

const MIB = 1_048_576;

async function sizeOf(directory: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) total += (await stat(path.join(entry.parentPath, entry.name))).size;
  return total;
}

describe.each(ERAS)('append_file to a large file, on a %s connection,', (era) => {
  it('keeps the file itself, stores no content, and can be undone and redone', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    const log = path.join(root, 'log');
    await writeFile(log, 'a'.repeat(3 * MIB));
    const { ino } = await stat(log);
    await using session = await connectFiles({ directories: [root], stateDir, maxJournalBytes: MIB }, era);
    const undoId = await undoIdOf(session, 'append_file', { path: 'log', content: 'more\n' });
    expect((await readFile(log, 'latin1')).slice(-6)).toBe('amore\n');
    expect((await stat(log)).ino).toBe(ino);
    expect(await sizeOf(stateDir)).toBeLessThan(10_000);
    const undone = await undoIdOf(session, 'undo_change', { undoId });
    expect((await stat(log)).size).toBe(3 * MIB);
    await session.text('undo_change', { undoId: undone });
    expect((await readFile(log, 'latin1')).slice(-6)).toBe('amore\n');
  });
});

describe('the undo of an append to a large file', () => {
  it('reports a conflict if text was appended later; a forced undo removes both and can be undone', async () => {
    const root = await temporaryDirectory();
    const log = path.join(root, 'log');
    await writeFile(log, 'a'.repeat(MIB));
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'append_file', { path: 'log', content: 'mine' });
    await writeFile(log, 'yours', { flag: 'a' });
    expect(await session.fails('undo_change', { undoId })).toMatch(/^CONFLICT/);
    const forced = await undoIdOf(session, 'undo_change', { undoId, force: true });
    expect((await stat(log)).size).toBe(MIB);
    await session.text('undo_change', { undoId: forced });
    expect((await readFile(log, 'latin1')).slice(MIB)).toBe('mineyours');
  });

  it.each([
    ['is shorter', (log: string) => truncate(log, 5)],
    ['has other text before the appended text', (log: string) => writeFile(log, 'b'.repeat(MIB + 4))],
  ])('removes nothing if the file %s, even if forced', async (_, change) => {
    const root = await temporaryDirectory();
    const log = path.join(root, 'log');
    await writeFile(log, 'a'.repeat(MIB));
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'append_file', { path: 'log', content: 'mine' });
    await change(log);
    const before = await readFile(log);
    for (const force of [false, true])
      expect(await session.fails('undo_change', { undoId, force })).toMatch(/^CONFLICT.*no longer has the text/s);
    expect((await readFile(log)).equals(before)).toBe(true);
  });

  it('leaves another hard link of the file, which may be outside, unchanged', async () => {
    const [root, elsewhere] = [await temporaryDirectory(), await temporaryDirectory()];
    const [log, other] = [path.join(root, 'log'), path.join(elsewhere, 'other')];
    await writeFile(log, 'a'.repeat(MIB));
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'append_file', { path: 'log', content: 'mine' });
    await link(log, other);
    await session.text('undo_change', { undoId });
    expect([(await stat(log)).size, (await stat(other)).size]).toEqual([MIB, MIB + 4]);
    await link(log, path.join(elsewhere, 'second'));
    await session.text('append_file', { path: 'log', content: 'again' });
    expect((await stat(path.join(elsewhere, 'second'))).size).toBe(MIB);
  });
});

describe('the journal', () => {
  it('keeps small changes when large ones come, and is never above its limit after a change', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await using session = await connectFiles({ directories: [root], stateDir, maxJournalBytes: MIB, durability: 'fast' });
    await writeFile(path.join(root, 'small'), 'before');
    const undoId = await undoIdOf(session, 'write_file', { path: 'small', content: 'after' });
    for (let round = 0; round < 4; round += 1) {
      await writeFile(path.join(root, 'large'), String(round).repeat(700_000));
      await session.text('delete_file', { path: 'large' });
      expect((await sizeOf(path.join(stateDir, 'contents'))) + (await sizeOf(path.join(stateDir, 'changes')))).toBeLessThan(MIB);
    }
    await session.text('undo_change', { undoId });
    expect(await readFile(path.join(root, 'small'), 'utf8')).toBe('before');
  });

  it('keeps a content that another change needs when it removes a change', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root], maxJournalBytes: MIB, durability: 'fast' });
    const large = 'x'.repeat(400_000);
    await writeFile(path.join(root, 'a'), large);
    await session.text('delete_file', { path: 'a' });
    await writeFile(path.join(root, 'b'), large);
    const undoId = await undoIdOf(session, 'delete_file', { path: 'b' });
    await writeFile(path.join(root, 'c'), 'y'.repeat(400_000));
    await session.text('delete_file', { path: 'c' });
    await session.text('undo_change', { undoId });
    expect(await readFile(path.join(root, 'b'), 'utf8')).toBe(large);
  });

  it('removes expired, surplus and then large old records, and never the latest', () => {
    const records = [
      { name: 'expired', bytes: 1, age: 9000 },
      { name: 'old and small', bytes: 10, age: 8000 },
      { name: 'large', bytes: 600, age: 3000 },
      { name: 'recent', bytes: 300, age: 1500 },
      { name: 'latest', bytes: 750, age: 0 },
    ];
    const removed = chooseRemoved(records, { maxBytes: 1000, maxAge: 8500, maxRecords: 10 });
    expect([...removed].map(({ name }) => name)).toEqual(['expired', 'large', 'recent']);
    expect([...chooseRemoved(records.slice(-1), { maxBytes: 1, maxAge: 0, maxRecords: 0 })]).toEqual([]);
    const surplus = chooseRemoved(records, { maxBytes: 1e9, maxAge: 1e9, maxRecords: 2 });
    expect(surplus.size).toBe(3);
  });
});
