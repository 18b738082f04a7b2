import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectAll, rewindTo } from '../../fixtures/rewinds.ts';
import { place, treeOf, undoIdOf } from '../../fixtures/trees.ts';
import { temporaryDirectory } from '../../fixtures/temporary.ts';

type Calls = readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[];

const HISTORIES: readonly (readonly [what: string, calls: Calls])[] = [
  ['a new file', [['write_file', { path: 'new', content: 'new' }]]],
  ['a file with new directories', [['write_file', { path: 'x/y/new', content: 'new', createParents: true }]]],
  [
    'several edits of one file',
    [
      ['write_file', { path: 'sub/deep/c', content: 'one' }],
      ['edit_file', { path: 'sub/deep/c', edits: [{ oldText: 'one', newText: 'two' }] }],
      ['append_file', { path: 'sub/deep/c', content: 'three' }],
    ],
  ],
  [
    'a file that is created and deleted',
    [
      ['write_file', { path: 'new', content: 'new' }],
      ['delete_file', { path: 'new' }],
    ],
  ],
  ['a deleted file', [['delete_file', { path: 'a' }]]],
  ['a deleted link', [['delete_file', { path: 'sub/link' }]]],
  ['a deleted directory', [['delete_file', { path: 'sub', recursive: true }]]],
  ['a copied directory', [['copy_file', { source: 'sub', destination: 'copy' }]]],
  ['a moved file', [['move_file', { source: 'a', destination: 'sub/new' }]]],
  ['a move over a file', [['move_file', { source: 'a', destination: 'sub/b', overwrite: true }]]],
  [
    'a moved directory whose files are changed, created and deleted',
    [
      ['move_file', { source: 'sub', destination: 'other' }],
      ['write_file', { path: 'other/deep/c', content: 'changed' }],
      ['write_file', { path: 'other/more/new', content: 'new', createParents: true }],
      ['delete_file', { path: 'other/b' }],
    ],
  ],
  [
    'a changed file that is moved twice',
    [
      ['write_file', { path: 'a', content: 'changed' }],
      ['move_file', { source: 'a', destination: 'b' }],
      ['move_file', { source: 'b', destination: 'sub/c' }],
      ['append_file', { path: 'sub/c', content: 'more' }],
    ],
  ],
  [
    'two files that changed places',
    [
      ['move_file', { source: 'a', destination: 't' }],
      ['move_file', { source: 'sub/b', destination: 'a' }],
      ['move_file', { source: 't', destination: 'sub/b' }],
    ],
  ],
  [
    'new directories',
    [
      ['create_directory', { path: 'x/y' }],
      ['write_file', { path: 'x/y/f', content: 'f' }],
      ['move_file', { source: 'x', destination: 'z' }],
    ],
  ],
  ['a replacement in several files', [['replace_in_files', { path: '.', pattern: 'a', replacement: 'b' }]]],
];

describe.each(ERAS)('rewind, on a %s connection,', (era) => {
  it.each(HISTORIES)('takes back %s to the byte, and can be undone', async (_, calls) => {
    const root = await place();
    await using session = await connectAll(root, {}, era);
    const before = await treeOf(root);
    await session.text('checkpoint', { name: 'start' });
    for (const [tool, input] of calls) await session.text(tool, input);
    const after = await treeOf(root);
    const planned = await session.text('rewind', { to: 'start' });
    expect(planned).toContain(`Plan to take back ${calls.length} change`);
    expect(await treeOf(root)).toEqual(after);
    const { undoId, conflicts } = await rewindTo(session, 'start');
    expect(conflicts).toEqual([]);
    expect(await treeOf(root)).toEqual(before);
    if (undoId !== undefined) await session.text('undo_change', { undoId });
    expect(await treeOf(root)).toEqual(after);
    await rewindTo(session, 'start');
    expect(await treeOf(root)).toEqual(before);
  });
});

describe('rewind', () => {
  it('shows what it would do with each path', async () => {
    const root = await place();
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'a', content: 'changed' });
    await session.text('write_file', { path: 'new', content: 'new' });
    await session.text('delete_file', { path: 'sub/b' });
    expect(await session.text('rewind', { to: 'start' })).toBe(
      `Plan to take back 3 changes; nothing was changed, apply makes the changes\nrestore ${root}/a\ndelete ${root}/new\ncreate ${root}/sub/b`,
    );
  });

  it('accepts the id of a checkpoint, the latest checkpoint of a name, and the id of a change', async () => {
    const root = await temporaryDirectory();
    await using session = await connectAll(root);
    const write = (content: string): Promise<string> => undoIdOf(session, 'write_file', { path: 'f', content });
    const { structuredContent } = await session.call('checkpoint', { name: 'twice' });
    await write('1');
    await session.text('checkpoint', { name: 'twice' });
    const second = await write('2');
    await write('3');
    await rewindTo(session, 'twice');
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('1');
    await write('4');
    await rewindTo(session, second);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('1');
    await rewindTo(session, (structuredContent as { readonly checkpoint: string }).checkpoint);
    expect(Object.keys(await treeOf(root))).toEqual([]);
  });

  it('changes nothing if nothing was changed since', async () => {
    const root = await place();
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    expect(await session.text('rewind', { to: 'start', apply: true })).toBe('Nothing to take back; 0 changes since');
  });

  it('rejects an unknown moment', async () => {
    await using session = await connectAll(await place());
    expect(await session.fails('rewind', { to: 'start' })).toBe(
      'NOT_FOUND: there is no checkpoint or change "start"\nthe tool checkpoint creates a checkpoint; list_changes lists the ids of changes',
    );
  });

  it('works after a restart of the server', async () => {
    const root = await place();
    const before = await treeOf(root);
    const stateDir = `${await temporaryDirectory()}/state`;
    const run = async (work: (session: Session) => Promise<unknown>): Promise<void> => {
      await using session = await connectAll(root, { stateDir });
      await work(session);
    };
    await run((session) => session.text('checkpoint', { name: 'start' }));
    await run((session) => session.text('write_file', { path: 'a', content: 'changed' }));
    await run((session) => rewindTo(session, 'start'));
    expect(await treeOf(root)).toEqual(before);
  });

  it('is cancelled before it changes anything', async () => {
    const root = await place();
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'a', content: 'changed' });
    const controller = new AbortController();
    const call = session.client.callTool(
      { name: 'rewind', arguments: { to: 'start', apply: true } },
      { signal: controller.signal },
    );
    controller.abort();
    await expect(call).rejects.toThrow();
    expect(await readFile(path.join(root, 'a'), 'utf8')).toContain('changed');
  });

  it('does not restore a file that a later permanent deletion removed, unless partial', async () => {
    const root = await place();
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'a', content: 'changed' });
    await writeFile(path.join(root, 'other'), 'mine');
    await rm(path.join(root, 'a'));
    expect(await session.fails('rewind', { to: 'start', apply: true })).toContain(
      `CONFLICT: 1 path cannot be taken back: ${root}/a was deleted since\nnothing was changed`,
    );
    const { conflicts } = await rewindTo(session, 'start', { partial: true });
    expect(conflicts).toEqual([{ path: `${root}/a`, reason: 'was deleted since' }]);
    await rewindTo(session, 'start', { force: true });
    expect(Object.keys(await treeOf(root)).sort()).toEqual(['a', 'other', 'sub', 'sub/b', 'sub/deep', 'sub/deep/c', 'sub/link']);
  });
});
