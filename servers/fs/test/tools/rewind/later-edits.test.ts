import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectAll, rewindTo } from '../../fixtures/rewinds.ts';
import { temporaryDirectory } from '../../fixtures/temporary.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const BEFORE = `${LINES.join('\n')}\n`;
const EDITED = BEFORE.replace('two', '2');
const BINARY = Buffer.from([0, 1, 2, 0]);

/**
 * A title, and the contents of a file: before the changes, after a tool's edit, after a later edit of a person, and after the
 * rewind.
 */
type Later = readonly [what: string, before: string, tool: string, person: string, merged: string];

const MERGED: readonly Later[] = [
  ['in other lines', BEFORE, EDITED, EDITED.replace('seven', '7'), BEFORE.replace('seven', '7')],
  ['that add lines', BEFORE, EDITED, `zero\n${EDITED}nine\n`, `zero\n${BEFORE}nine\n`],
  [
    'with CRLF',
    BEFORE.replaceAll('\n', '\r\n'),
    EDITED.replaceAll('\n', '\r\n'),
    `${EDITED}x\n`.replaceAll('\n', '\r\n'),
    `${BEFORE}x\n`.replaceAll('\n', '\r\n'),
  ],
  ['in Latin-1', `ä\n${BEFORE}`, `ä\n${EDITED}`, `ä\n${EDITED}ö\n`, `ä\n${BEFORE}ö\n`],
];

describe.each(ERAS)('a rewind, on a %s connection,', (era) => {
  it.each(MERGED)('keeps edits of a person %s, and can be undone', async (...[, before, tool, person, merged]) => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f');
    await writeFile(file, before, 'latin1');
    await using session = await connectAll(root, {}, era);
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'f', content: tool, eol: 'as-is' });
    await writeFile(file, person, 'latin1');
    expect(await session.text('rewind', { to: 'start' })).toContain(`\nmerge ${file}`);
    const { undoId } = await rewindTo(session, 'start');
    expect(await readFile(file, 'latin1')).toBe(merged);
    await session.text('undo_change', { undoId });
    expect(await readFile(file, 'latin1')).toBe(person);
  });
});

describe('a rewind', () => {
  it('keeps an edit of a person that was made between two changes', async () => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f');
    await writeFile(file, BEFORE);
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text('edit_file', { path: 'f', edits: [{ oldText: 'two', newText: '2' }] });
    await writeFile(file, EDITED.replace('five', '5'));
    await session.text('edit_file', { path: 'f', edits: [{ oldText: 'eight', newText: '8' }] });
    await rewindTo(session, 'start');
    expect(await readFile(file, 'utf8')).toBe(BEFORE.replace('five', '5'));
  });

  it('keeps new files of a person in directories that the tools created or moved', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'src'));
    await writeFile(path.join(root, 'src/a'), 'a');
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'notes/x/new', content: 'new', createParents: true });
    await session.text('move_file', { source: 'src', destination: 'lib' });
    await writeFile(path.join(root, 'notes/mine'), 'mine');
    await writeFile(path.join(root, 'lib/mine'), 'mine');
    await rewindTo(session, 'start');
    expect(await readFile(path.join(root, 'notes/mine'), 'utf8')).toBe('mine');
    expect(await readFile(path.join(root, 'src/mine'), 'utf8')).toBe('mine');
    await expect(readFile(path.join(root, 'notes/x/new'))).rejects.toThrow('ENOENT');
  });

  it.each<[string, string | Buffer, (file: string) => Promise<unknown>, string]>([
    ['the same lines', BEFORE, (file) => writeFile(file, EDITED.replace('2', 'mine')), 'was edited later in the same lines'],
    [
      'a binary file',
      BINARY,
      (file) => writeFile(file, Buffer.concat([BINARY, BINARY])),
      'is a binary file that was edited since',
    ],
    ['a deleted file', BEFORE, (file) => rm(file), 'was deleted since'],
    [
      'a file that is a directory now',
      BEFORE,
      async (file) => {
        await rm(file);
        await mkdir(file);
      },
      'was replaced since',
    ],
  ])('lists a conflict and changes nothing, unless forced: %s', async (_, before, change, reason) => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f');
    await writeFile(file, before);
    await writeFile(path.join(root, 'g'), BEFORE);
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'g', content: 'changed' });
    const content = typeof before === 'string' ? EDITED : Buffer.alloc(9).toString('base64');
    await session.text('write_file', { path: 'f', content, ...(typeof before !== 'string' && { encoding: 'base64' }) });
    await change(file);
    expect(await session.text('rewind', { to: 'start' })).toContain(`\nconflict ${file} ${reason}`);
    expect(await session.fails('rewind', { to: 'start', apply: true })).toContain(
      `CONFLICT: 1 path cannot be taken back: ${file} ${reason}`,
    );
    expect(await readFile(path.join(root, 'g'), 'utf8')).toBe('changed');
    await rewindTo(session, 'start', { partial: true });
    expect(await readFile(path.join(root, 'g'), 'utf8')).toBe(BEFORE);
    if (reason === 'was replaced since') return;
    await rewindTo(session, 'start', { force: true });
    expect(await readFile(file)).toEqual(Buffer.from(before));
  });

  it.each<[string, string, (root: string) => Promise<unknown>, string]>([
    ['edited', 'write_file', (root) => writeFile(path.join(root, 'new'), 'mine'), 'was edited since it was created'],
    ['moved, and its name is used again', 'move_file', (root) => writeFile(path.join(root, 'f'), 'mine'), 'exists again, so'],
    ['moved, and deleted since', 'move_file', (root) => rm(path.join(root, 'new')), 'was moved here, and was deleted since'],
  ])('lists a conflict for a new file that was %s', async (_, tool, change, reason) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), BEFORE);
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text(tool, tool === 'write_file' ? { path: 'new', content: 'new' } : { source: 'f', destination: 'new' });
    await change(root);
    expect(await session.fails('rewind', { to: 'start', apply: true })).toContain(reason);
  });

  it('never merges edits if the text before them is not stored', async () => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f');
    await writeFile(file, BEFORE);
    await using session = await connectAll(root);
    const { _meta } = await session.call('edit_file', { path: 'f', edits: [{ oldText: 'two', newText: '2' }] });
    await writeFile(file, `${EDITED}nine\n`);
    expect(await session.fails('rewind', { to: String(_meta?.['undoId']), apply: true })).toContain(
      'was edited later, and a text that the merge needs is no longer stored',
    );
  });

  it('reports an append to a large file and a file that a person moved away', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'log'), 'a'.repeat(1_100_000));
    await writeFile(path.join(root, 'f'), BEFORE);
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text('append_file', { path: 'log', content: 'more' });
    await session.text('write_file', { path: 'f', content: EDITED });
    await rename(path.join(root, 'f'), path.join(root, 'moved'));
    const { conflicts } = await rewindTo(session, 'start', { partial: true });
    expect(conflicts.map(({ reason }) => reason)).toEqual([
      'was deleted since',
      'is a large file to which text was appended; undo_change undoes that change',
    ]);
  });
});
