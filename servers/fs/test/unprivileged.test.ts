import { chmod, cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { treeOf } from './finding/tree-of.ts';
import { BOUND_BY_PERMISSIONS, giveToBound } from './nobody.ts';
import { temporaryDirectory } from './temporary.ts';

const BUNDLE = fileURLToPath(new URL('../bundle', import.meta.url));

/** A server of a user whom permissions bind: root passes all of them, so a test that it runs has it run as nobody. */
async function connectUnprivileged(root: string): Promise<Session> {
  if (process.getuid?.() !== 0) return connectProcess({ command: process.execPath, args: [path.join(BUNDLE, 'bin.js'), root] });
  // The checkout may lie where nobody else may look.
  const place = await temporaryDirectory();
  // What other processes keep there comes and goes.
  const filter = (file: string): boolean => !file.includes('.compiled');
  await cp(BUNDLE, path.join(place, 'bundle'), { recursive: true, filter });
  await giveToBound(place, root);
  const args = [...BOUND_BY_PERMISSIONS, path.join(place, 'bundle/bin.js'), '--state-dir', path.join(place, 'state'), root];
  return connectProcess({ command: process.execPath, args });
}

/** Files of everybody, beside a directory and a file that nobody may read. */
async function lockedTree(): Promise<string> {
  const root = await treeOf({ 'open.txt': 'SECRET\n', 'locked.txt': 'SECRET\n', 'locked/secret.txt': 'SECRET\n' });
  await chmod(path.join(root, 'open.txt'), 0o666);
  for (const name of ['locked', 'locked.txt']) {
    await chmod(path.join(root, name), 0o000);
    onTestFinished(() => chmod(path.join(root, name), 0o700));
  }
  return root;
}

describe.skipIf(process.platform === 'win32')('what may not be read', () => {
  it('is left out of searches and counted, and what lies beside it is found', async () => {
    const root = await lockedTree();
    await using session = await connectUnprivileged(root);
    const names = await session.call('search_files', { path: '.', pattern: '*.txt' });
    expect(names.structuredContent).toMatchObject({ unreadable: 1, matches: { length: 2 } });
    const content = await session.call('search_content', { path: '.', pattern: 'SECRET' });
    expect(content.structuredContent).toMatchObject({
      matches: [{ path: path.join(root, 'open.txt') }],
      stats: { unreadable: 2 },
    });
    const tree = await session.call('directory_tree', { path: '.' });
    expect(tree.content).toMatchObject([{ text: expect.stringMatching(/locked[^]*\n\[1 directories could not be read\.\]$/) }]);
    const replaced = await session.call('replace_in_files', { path: '.', pattern: 'SECRET', replacement: 'public' });
    expect(replaced._meta).toMatchObject({ replacements: 1, unreadable: 2 });
    expect(await readFile(path.join(root, 'open.txt'), 'utf8')).toBe('public\n');
  });

  it('is refused to those who ask for it itself, and facts about it are told', async () => {
    await using session = await connectUnprivileged(await lockedTree());
    for (const [tool, args] of [
      ['read_text_file', { path: 'locked.txt' }],
      ['get_file_info', { path: 'locked.txt', hash: true }],
      ['edit_file', { path: 'locked.txt', edits: [{ oldText: 'SECRET', newText: '' }] }],
      ['write_file', { path: 'locked.txt', content: '' }],
      ['list_directory', { path: 'locked' }],
      ['read_text_file', { path: 'locked/secret.txt' }],
    ] as const)
      expect(await session.fails(tool, args), tool).toMatch(/^IO: .*permission/);
    expect(await session.text('get_file_info', { path: 'locked.txt' })).toContain('permissions: 000');
  });
});

describe.skipIf(process.platform === 'win32')('a file that may be read and not written', () => {
  it('keeps all others as they are when a text is replaced in them', async () => {
    const root = await treeOf({ a: 'x', b: 'x' });
    await chmod(path.join(root, 'a'), 0o666);
    await chmod(path.join(root, 'b'), 0o444);
    await using session = await connectUnprivileged(root);
    expect(await session.fails('replace_in_files', { path: '.', pattern: 'x', replacement: 'y' })).toMatch(/^IO: .*permission/);
    expect(await readFile(path.join(root, 'a'), 'utf8')).toBe('x');
  });
});
