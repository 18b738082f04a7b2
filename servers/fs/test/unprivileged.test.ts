import { chmod, cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, runProgram, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { treeOf } from './fixtures/tree-of.ts';
import { BOUND_BY_PERMISSIONS, giveToBound } from './fixtures/nobody.ts';
import { temporaryDirectory } from './fixtures/temporary.ts';

const BUNDLE = fileURLToPath(new URL('../bundle', import.meta.url));

/** Connects to a server without root privileges, because permissions do not restrict root. */
async function connectUnprivileged(root: string): Promise<Session> {
  return connectProcess(await createProgram(root));
}

async function createProgram(root: string, ...given: readonly string[]): Promise<Parameters<typeof connectProcess>[0]> {
  if (process.getuid?.() !== 0) return { command: process.execPath, args: [path.join(BUNDLE, 'bin.js'), ...given, root] };
  // Other users may be unable to read the checkout, so the test runs a copy of the bundle.
  const place = await temporaryDirectory();
  // The copy leaves out the compile cache, because other processes create and remove files in it.
  const filter = (file: string): boolean => !file.includes('compile-cache');
  await cp(BUNDLE, path.join(place, 'bundle'), { recursive: true, filter });
  await giveToBound(place, root);
  const args = [
    ...BOUND_BY_PERMISSIONS,
    path.join(place, 'bundle/bin.js'),
    ...given,
    '--state-dir',
    path.join(place, 'state'),
    root,
  ];
  return { command: process.execPath, args };
}

/** Creates a readable file beside an unreadable file and an unreadable directory. */
async function lockedTree(): Promise<string> {
  const root = await treeOf({ 'open.txt': 'SECRET\n', 'locked.txt': 'SECRET\n', 'locked/secret.txt': 'SECRET\n' });
  await chmod(path.join(root, 'open.txt'), 0o666);
  for (const name of ['locked', 'locked.txt']) {
    await chmod(path.join(root, name), 0o000);
    onTestFinished(() => chmod(path.join(root, name), 0o700));
  }
  return root;
}

describe.skipIf(process.platform === 'win32')('an unreadable directory', () => {
  it('is skipped and counted by searches, which find the files beside it', async () => {
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
    expect(tree.content).toMatchObject([{ text: expect.stringMatching(/locked[^]*\n\[1 directory could not be read\.\]$/) }]);
    const replaced = await session.call('replace_in_files', { path: '.', pattern: 'SECRET', replacement: 'public' });
    expect(replaced._meta).toMatchObject({ replacements: 1, unreadable: 2 });
    expect(await readFile(path.join(root, 'open.txt'), 'utf8')).toBe('public\n');
  });

  it('is rejected when it is requested itself, but its facts are available', async () => {
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

describe.skipIf(process.platform === 'win32')('a file without write permission', () => {
  it('prevents a replacement in several files from changing any of them', async () => {
    const root = await treeOf({ a: 'x', b: 'x' });
    await chmod(path.join(root, 'a'), 0o666);
    await chmod(path.join(root, 'b'), 0o444);
    await using session = await connectUnprivileged(root);
    expect(await session.fails('replace_in_files', { path: '.', pattern: 'x', replacement: 'y' })).toMatch(/^IO: .*permission/);
    expect(await readFile(path.join(root, 'a'), 'utf8')).toBe('x');
  });
});

describe.skipIf(process.platform === 'win32')('the check of a directory', () => {
  it.each([
    ['cannot be read', 0o000, 'the user of the server may not read the directory'],
    ['cannot be written', 0o555, 'the user of the server may not write in the directory; pass the directory with --ro'],
  ])('reports that it %s', async (_, mode, problem) => {
    const root = await treeOf({ a: 'x' });
    const program = await createProgram(root, 'check');
    await chmod(root, mode);
    onTestFinished(() => chmod(root, 0o700));
    expect(await runProgram(program)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`wrong  root ${root}: ${problem}\n`),
    });
  });
});
