import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../fixtures/temporary.ts';

/** Tools that change something. Each function creates the arguments with the path that the tool would change. */
const CHANGES: readonly (readonly [tool: string, input: (given: string) => Readonly<Record<string, unknown>>])[] = [
  ['write_file', (given) => ({ path: given, content: 'OWNED' })],
  ['append_file', (given) => ({ path: given, content: 'OWNED' })],
  ['edit_file', (given) => ({ path: given, edits: [{ oldText: 'a', newText: 'OWNED' }] })],
  ['create_directory', (given) => ({ path: given })],
  ['copy_file', (given) => ({ source: 'ok.txt', destination: given, overwrite: true })],
  ['copy_file', (given) => ({ source: given, destination: 'copy' })],
  ['move_file', (given) => ({ source: 'ok.txt', destination: given, overwrite: true })],
  ['move_file', (given) => ({ source: given, destination: 'moved' })],
  ['delete_file', (given) => ({ path: given, recursive: true, permanent: true })],
];

describe('the state of the server, inside a root,', () => {
  it('cannot be changed by any tool, nor can the directories above it', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'ok.txt'), 'ok');
    const state = path.join(root, 'deep/state');
    await using session = await connectFiles({ directories: [root], stateDir: state });
    await session.text('write_file', { path: 'ok.txt', content: 'new' });
    for (const [tool, input] of CHANGES)
      expect(await session.fails(tool, input('deep/state/changes')), tool).toMatch(/^DENIED_BY_POLICY/);
    expect(await session.fails('read_text_file', { path: 'deep/state/changes' })).toMatch(/^DENIED_BY_POLICY/);
    expect(await session.fails('delete_file', { path: 'deep', recursive: true })).toMatch(/^DENIED_BY_POLICY/);
    expect(await session.fails('move_file', { source: 'deep', destination: 'other' })).toMatch(/^DENIED_BY_POLICY/);
    expect((await readdir(state)).sort()).toEqual(['changes', 'contents', 'locks', 'writing']);
  });
});

describe('an undoId', () => {
  it.each([
    ['a path', '../../etc/passwd'],
    ['a pattern', '*'],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['one like the others', 'mhxxxxxxx-00000000'],
  ])('undoes no change if it is unknown: %s', async (_, undoId) => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('undo_change', { undoId })).toMatch(/^NOT_FOUND/);
  });

  it('is neither listed nor undone if the change is outside the directories', async () => {
    const base = await temporaryDirectory();
    for (const name of ['root', 'other']) await mkdir(path.join(base, name));
    await writeFile(path.join(base, 'root/ok.txt'), 'ok');
    const stateDir = path.join(base, 'state');
    await using one = await connectFiles({ directories: [path.join(base, 'root')], stateDir });
    const { structuredContent } = await one.call('write_file', { path: 'ok.txt', content: 'new' });
    await using other = await connectFiles({ directories: [path.join(base, 'other')], stateDir });
    expect(await other.text('list_changes')).toBe('No change can be undone');
    const { undoId } = structuredContent as { readonly undoId: string };
    const told = await other.fails('undo_change', { undoId });
    const unknown = 'mhxxxxxxx-00000000';
    expect(told.replace(undoId, unknown)).toBe(await other.fails('undo_change', { undoId: unknown }));
    expect(await readFile(path.join(base, 'root/ok.txt'), 'utf8')).toBe('new');
  });
});
