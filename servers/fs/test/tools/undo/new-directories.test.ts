import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';
import { treeOf, undoIdOf } from '../../fixtures/trees.ts';

const INPUT = { path: 'notes/x/new.md', content: 'new', createParents: true };

async function names(root: string): Promise<readonly string[]> {
  return Object.keys(await treeOf(root)).sort();
}

describe('the undo of a file that was written with new directories', () => {
  it('removes the file and the empty directories, but no file of another program', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'write_file', INPUT);
    await writeFile(path.join(root, 'notes/other.md'), 'other');
    const undone = await undoIdOf(session, 'undo_change', { undoId });
    expect(await names(root)).toEqual(['notes', 'notes/other.md']);
    await session.text('undo_change', { undoId: undone });
    expect(await names(root)).toEqual(['notes', 'notes/other.md', 'notes/x', 'notes/x/new.md']);
    expect(await readFile(path.join(root, 'notes/other.md'), 'utf8')).toBe('other');
  });

  it('leaves a directory with an entry that no tool may access', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'write_file', INPUT);
    await writeFile(path.join(root, 'notes/x/.env'), 'SECRET');
    await session.text('undo_change', { undoId });
    expect(await names(root)).toEqual(['notes', 'notes/x', 'notes/x/.env']);
  });

  it('reports a conflict if the file was changed, and force removes only this file', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'write_file', INPUT);
    await writeFile(path.join(root, 'notes/x/new.md'), 'mine');
    await mkdir(path.join(root, 'notes/y'));
    expect(await session.fails('undo_change', { undoId })).toMatch(/^CONFLICT/);
    const undone = await undoIdOf(session, 'undo_change', { undoId, force: true });
    expect(await names(root)).toEqual(['notes', 'notes/y']);
    await session.text('undo_change', { undoId: undone });
    expect(await readFile(path.join(root, 'notes/x/new.md'), 'utf8')).toBe('mine');
  });

  it('changes nothing if the directories were removed', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'write_file', INPUT);
    await rm(path.join(root, 'notes'), { recursive: true });
    expect(await session.text('undo_change', { undoId })).toContain('nothing was changed');
  });

  it('and list_changes name the file instead of its directory', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    const undoId = await undoIdOf(session, 'write_file', INPUT);
    expect(await session.text('list_changes')).toContain(`write_file ${root}/notes/x/new.md`);
    expect(await session.text('undo_change', { undoId })).toContain(`Undid write_file on ${root}/notes/x/new.md`);
  });
});
