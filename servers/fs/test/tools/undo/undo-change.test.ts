import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryState } from '../../fixtures/temporary.ts';
import { place, treeOf, undoIdOf } from '../../fixtures/trees.ts';

const CHANGES = [
  ['write_file', { path: 'a', content: 'new' }],
  ['write_file', { path: 'sub/link', content: 'new' }],
  ['write_file', { path: 'new', content: 'new' }],
  ['write_file', { path: 'x/y/new', content: 'new', createParents: true }],
  ['append_file', { path: 'a', content: 'new' }],
  ['edit_file', { path: 'a', edits: [{ oldText: 'a', newText: 'b' }] }],
  ['create_directory', { path: 'x/y/z' }],
  ['copy_file', { source: 'a', destination: 'sub/b', overwrite: true }],
  ['copy_file', { source: 'sub', destination: 'copy' }],
  ['move_file', { source: 'a', destination: 'sub/new' }],
  ['move_file', { source: 'sub', destination: 'other' }],
  ['move_file', { source: 'a', destination: 'sub/b', overwrite: true }],
  ['delete_file', { path: 'a' }],
  ['delete_file', { path: 'sub/link' }],
  ['delete_file', { path: 'sub', recursive: true }],
] as const;

describe.each(ERAS)('on a %s connection', (era) => {
  it.each(CHANGES)('%s %j is undone to the byte and the mode, and the undo can be undone', async (tool, input) => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    const before = await treeOf(root);
    const undoId = await undoIdOf(session, tool, input);
    const after = await treeOf(root);
    expect(after).not.toEqual(before);
    const undone = await undoIdOf(session, 'undo_change', { undoId });
    expect(await treeOf(root)).toEqual(before);
    await session.text('undo_change', { undoId: undone });
    expect(Object.keys(await treeOf(root))).toEqual(Object.keys(after));
    const { structuredContent } = await session.call('list_changes');
    expect((structuredContent as { readonly changes: readonly object[] }).changes).toHaveLength(3);
  });
});

describe('undo_change', () => {
  it.each([
    ['was changed', (root: string) => writeFile(path.join(root, 'a'), 'mine')],
    [
      'is a directory now',
      async (root: string) => {
        await rm(path.join(root, 'a'));
        await mkdir(path.join(root, 'a'));
        await writeFile(path.join(root, 'a/x'), 'mine');
      },
    ],
  ])('reports a conflict if the file %s afterwards, unless forced, and the forced undo can be undone', async (_, change) => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] });
    const before = await treeOf(root);
    const undoId = await undoIdOf(session, 'write_file', { path: 'a', content: 'new' });
    await change(root);
    const mine = await treeOf(root);
    expect(await session.fails('undo_change', { undoId })).toMatch(/^CONFLICT/);
    expect(await treeOf(root)).toEqual(mine);
    const forced = await undoIdOf(session, 'undo_change', { undoId, force: true });
    expect(await treeOf(root)).toEqual(before);
    await session.text('undo_change', { undoId: forced });
    expect(await treeOf(root)).toEqual(mine);
  });

  it('reports a conflict for a copy to which an entry was added', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'copy_file', { source: 'sub', destination: 'copy' });
    await writeFile(path.join(root, 'copy/deep/mine'), 'mine');
    expect(await session.fails('undo_change', { undoId })).toMatch(/^CONFLICT/);
    expect(await readFile(path.join(root, 'copy/deep/mine'), 'utf8')).toBe('mine');
  });

  it('reports a conflict for a move if another file has the new or old name', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'move_file', { source: 'a', destination: 'b' });
    await writeFile(path.join(root, 'a'), 'mine');
    expect(await session.fails('undo_change', { undoId })).toMatch(/^ALREADY_EXISTS/);
    await rm(path.join(root, 'a'));
    await rm(path.join(root, 'b'));
    await writeFile(path.join(root, 'b'), 'mine');
    expect(await session.fails('undo_change', { undoId })).toMatch(/^CONFLICT/);
    expect(await readFile(path.join(root, 'b'), 'utf8')).toBe('mine');
    await session.text('undo_change', { undoId, force: true });
    expect(await readFile(path.join(root, 'a'), 'utf8')).toBe('mine');
  });

  it('does not move denied files to an allowed place when it undoes a move', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root], deny: ['sub/*.json'] });
    await rename(path.join(root, 'sub'), path.join(root, 'other'));
    const undoId = await undoIdOf(session, 'move_file', { source: 'other', destination: 'sub' });
    await writeFile(path.join(root, 'sub/db.json'), 'SECRET');
    for (const force of [false, true])
      expect(await session.fails('undo_change', { undoId, force })).toMatch(/^DENIED_BY_POLICY: .* contains an entry/);
    expect(await readdir(root)).toEqual(['a', 'sub']);
  });

  it('completes an interrupted change: a removal that was killed in the middle', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] });
    const before = await treeOf(root);
    const undoId = await undoIdOf(session, 'delete_file', { path: 'sub', recursive: true });
    await mkdir(path.join(root, 'sub/deep'), { recursive: true });
    await writeFile(path.join(root, 'sub/deep/c'), 'gamma');
    await session.text('undo_change', { undoId });
    expect(await treeOf(root)).toEqual(before);
  });

  it('changes no file if the change was recorded but never made', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] });
    const before = await treeOf(root);
    const undoId = await undoIdOf(session, 'write_file', { path: 'a', content: 'new' });
    await session.text('undo_change', { undoId });
    await session.text('undo_change', { undoId });
    expect(await treeOf(root)).toEqual(before);
  });

  it.each(CHANGES)('changes nothing the second time: %s %j', async (tool, input) => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, tool, input);
    await session.text('undo_change', { undoId });
    const before = await treeOf(root);
    const text = await session.text('undo_change', { undoId });
    expect(text).toMatch(/ was undone already or never completed; nothing was changed$/);
    expect(await treeOf(root)).toEqual(before);
  });

  it('restores the mode if only the mode differs', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] });
    const before = await treeOf(root);
    const content = await readFile(path.join(root, 'a'));
    const undoId = await undoIdOf(session, 'write_file', { path: 'a', content: 'new' });
    await writeFile(path.join(root, 'a'), content);
    await chmod(path.join(root, 'a'), 0o600);
    await session.text('undo_change', { undoId });
    expect(await treeOf(root)).toEqual(before);
  });

  it('undoes the change of another process, also after this process has ended', async () => {
    const root = await place();
    const stateDir = temporaryState();
    const before = await treeOf(root);
    const first = await connectFiles({ directories: [root], stateDir });
    await first.text('delete_file', { path: 'a' });
    await first[Symbol.asyncDispose]();
    await using second = await connectFiles({ directories: [root], stateDir });
    const { structuredContent } = await second.call('list_changes');
    const [change] = (structuredContent as { readonly changes: readonly { readonly undoId: string }[] }).changes;
    await second.text('undo_change', { undoId: change!.undoId });
    expect(await treeOf(root)).toEqual(before);
  });
});
