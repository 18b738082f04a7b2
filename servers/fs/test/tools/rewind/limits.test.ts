import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectAll, rewindTo } from '../../fixtures/rewinds.ts';
import { temporaryDirectory, temporaryState } from '../../fixtures/temporary.ts';

const MIB = 1_048_576;

describe('the limit', () => {
  it('--max-checkpoints removes the oldest checkpoint and says so', async () => {
    const root = await temporaryDirectory();
    await using session = await connectAll(root, { maxCheckpoints: 2 });
    for (const name of ['one', 'two']) expect(await session.text('checkpoint', { name })).not.toContain('removed');
    expect(await session.text('checkpoint', { name: 'three' })).toMatch(/; removed 1 old checkpoint \(--max-checkpoints\)$/);
    expect(await session.fails('rewind', { to: 'one' })).toMatch(/^NOT_FOUND/);
    expect(await session.text('rewind', { to: 'two' })).toContain('Plan to take back 0 changes');
  });

  it('--max-rewind-files rejects a larger rewind and changes nothing', async () => {
    const root = await temporaryDirectory();
    await using session = await connectAll(root, { maxRewindFiles: 1 });
    await session.text('checkpoint', { name: 'start' });
    for (const name of ['a', 'b']) await session.text('write_file', { path: name, content: name });
    expect(await session.fails('rewind', { to: 'start', apply: true })).toBe(
      'TOO_LARGE: the rewind would change 2 files and directories; the limit is 1\nnothing was changed; rewind to a later moment, or ask the operator to raise --max-rewind-files',
    );
    expect(await readdir(root)).toEqual(['a', 'b']);
  });

  it('--max-merge-bytes makes later edits of a larger file a conflict', async () => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f');
    await writeFile(file, 'a\nb\nc\n');
    await using session = await connectAll(root, { maxMergeBytes: 1024 });
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'f', content: 'a\nB\nc\n' });
    await writeFile(file, `a\nB\nc\n${'d\n'.repeat(600)}`);
    expect(await session.fails('rewind', { to: 'start', apply: true })).toContain(
      'was edited since and has more than 1024 bytes, so the edits cannot be merged (--max-merge-bytes)',
    );
  });

  it('--max-tree-entries rejects a history of more paths', async () => {
    const root = await temporaryDirectory();
    await using session = await connectAll(root, { maxTreeEntries: 2 });
    await session.text('checkpoint', { name: 'start' });
    for (const name of ['a', 'b', 'c']) await session.text('write_file', { path: name, content: name });
    expect(await session.fails('rewind', { to: 'start' })).toContain('TOO_LARGE: the changes concern more than 2 paths');
  });

  it('--max-bytes shortens the list of paths', async () => {
    const root = await temporaryDirectory();
    await using session = await connectAll(root, { maxBytes: 1024 });
    await session.text('checkpoint', { name: 'start' });
    for (let index = 0; index < 30; index += 1) await session.text('write_file', { path: `file-${String(index)}`, content: '' });
    expect(await session.text('rewind', { to: 'start' })).toMatch(/\n\[\d+ paths are not shown\.\]$/);
  });

  it('--max-journal-bytes ends the history: a rewind beyond it is refused, unless partial', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await using session = await connectAll(root, { stateDir, maxJournalBytes: MIB, maxMergeBytes: 1024 });
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'small', content: 'one' });
    for (let round = 0; round < 8; round += 1)
      await session.text('write_file', { path: 'large', content: String(round).repeat(MIB / 4) });
    await session.text('write_file', { path: 'small', content: 'two' });
    const [removed] = await readdir(path.join(stateDir, 'removed'));
    expect(await session.fails('rewind', { to: 'start', apply: true })).toBe(
      `NOT_FOUND: cannot go back so far: the change ${String(removed)} is no longer stored\nnothing was changed; partial takes back the changes after it; the operator can raise --max-journal-bytes`,
    );
    await rewindTo(session, 'start', { partial: true });
    expect(await readFile(path.join(root, 'small'), 'utf8')).toBe('one');
  });
});
