import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { treeOf } from '../fixtures/tree-of.ts';
import { connectFiles } from '../fixtures/temporary.ts';

/** Tools that take an existing path. Each function creates the arguments with the path. */
const USES: readonly (readonly [tool: string, given: (path: string) => Readonly<Record<string, unknown>>])[] = [
  ['read_text_file', (path) => ({ path })],
  ['read_file', (path) => ({ path })],
  ['read_media_file', (path) => ({ path })],
  ['read_media_file', (path) => ({ path, asLink: true })],
  ['get_file_info', (path) => ({ path })],
  ['list_directory', (path) => ({ path })],
  ['list_directory_with_sizes', (path) => ({ path })],
  ['directory_tree', (path) => ({ path })],
  ['search_files', (path) => ({ path, pattern: 'in' })],
  ['search_content', (path) => ({ path, pattern: 'in' })],
  ['write_file', (path) => ({ path, content: 'x' })],
  ['append_file', (path) => ({ path, content: 'x' })],
  ['edit_file', (path) => ({ path, edits: [{ oldText: 'in', newText: 'x' }] })],
  ['replace_in_files', (path) => ({ path, pattern: 'in', replacement: 'x' })],
  ['copy_file', (source) => ({ source, destination: 'copied' })],
];

/** Further tools. The tests pass to them only paths below a link, because these tools may change a link itself. */
const THROUGH: typeof USES = [
  ['create_directory', (path) => ({ path })],
  ['move_file', (source) => ({ source, destination: 'moved' })],
  ['move_file', (destination) => ({ source: 'ok.txt', destination })],
  ['delete_file', (path) => ({ path })],
];

const DENIED = /^DENIED_BY_POLICY/;

async function expectAllDenied(session: Session, uses: typeof USES, given: string): Promise<void> {
  for (const [tool, input] of uses) expect(await session.fails(tool, input(given)), tool).toMatch(DENIED);
}

describe.skipIf(process.platform === 'win32').each(ERAS)('with --no-follow-symlinks, on a %s connection,', (era) => {
  async function scene(): Promise<string> {
    const root = await treeOf({ 'a/in.txt': 'in', 'ok.txt': 'ok' });
    await symlink('a', path.join(root, 'link'));
    await symlink('ok.txt', path.join(root, 'file-link'));
    return root;
  }

  it('no path through a link is accepted, and nothing is changed', async () => {
    const root = await scene();
    await using session = await connectFiles({ directories: [root], followSymlinks: false }, era);
    await expectAllDenied(session, USES, 'link');
    await expectAllDenied(session, USES, 'file-link');
    await expectAllDenied(session, [...USES, ...THROUGH], 'link/in.txt');
    await expectAllDenied(session, THROUGH, path.join(root, 'link/new.txt'));
    const { client } = session;
    const uri = pathToFileURL(path.join(root, 'link/in.txt')).href;
    await expect(client.readResource({ uri })).rejects.toThrow('DENIED_BY_POLICY');
    await expect(session.subscribe(uri)).rejects.toThrow();
    const argument = { name: 'path', value: 'link/' };
    const ref = { type: 'ref/prompt', name: 'review_file' } as const;
    expect((await client.complete({ ref, argument })).completion.values).toEqual([]);
    expect([await readdir(root), await readdir(path.join(root, 'a'))]).toEqual([
      ['a', 'file-link', 'link', 'ok.txt'],
      ['in.txt'],
    ]);
    expect(await readFile(path.join(root, 'ok.txt'), 'utf8')).toBe('ok');
  });

  it('a change is not undone after a link was created on its path', async () => {
    const root = await scene();
    await using session = await connectFiles({ directories: [root], followSymlinks: false }, era);
    await mkdir(path.join(root, 'd'));
    const { structuredContent } = await session.call('write_file', { path: 'd/in.txt', content: 'in' });
    await rm(path.join(root, 'd'), { recursive: true });
    await symlink('a', path.join(root, 'd'));
    const { undoId } = structuredContent as { readonly undoId: string };
    for (const force of [false, true])
      expect(await session.fails('undo_change', { undoId, force })).toMatch(/^NOT_FOUND: the journal has no change/);
    expect(await readFile(path.join(root, 'a/in.txt'), 'utf8')).toBe('in');
  });

  it('links are listed, and can be moved and deleted themselves', async () => {
    const root = await scene();
    await using session = await connectFiles({ directories: [root], followSymlinks: false }, era);
    expect(await session.text('list_directory', { path: '.' })).toBe('[DIR] a\n[LINK] file-link\n[LINK] link\n[FILE] ok.txt');
    expect(await session.text('get_file_info', { path: 'link', followLinks: false })).toContain('target: a');
    await session.call('move_file', { source: 'link', destination: 'a/moved' });
    expect(await readlink(path.join(root, 'a/moved'))).toBe('a');
    await session.call('delete_file', { path: 'file-link' });
    expect(await readdir(root)).toEqual(['a', 'ok.txt']);
  });
});

// On Linux, /dev/shm is a separate file system inside /dev.
describe.runIf(process.platform === 'linux')('with --no-cross-mounts,', () => {
  async function mounted(): Promise<string> {
    const directory = await mkdtemp('/dev/shm/mcp-fs-');
    onTestFinished(() => rm(directory, { recursive: true }));
    await mkdir(path.join(directory, 'sub'));
    await writeFile(path.join(directory, 'sub/in.txt'), 'text inside');
    return directory;
  }

  it('a mounted directory is listed but neither entered nor searched', async () => {
    const directory = await mounted();
    await using session = await connectFiles({ ro: ['/dev'], crossMounts: false });
    const [search, content, tree] = await Promise.all([
      session.call('search_files', { path: '/dev', pattern: path.basename(directory) }),
      session.call('search_content', { path: '/dev', pattern: 'text inside', include: ['in.txt'] }),
      session.call('directory_tree', { path: '/dev', maxDepth: 2, format: 'compact' }),
    ]);
    expect(search.structuredContent).toMatchObject({ matches: [], unreadable: expect.toSatisfy((count) => count > 0) });
    expect(content.structuredContent).toMatchObject({ matches: [] });
    expect(tree.content[0]).toMatchObject({ text: expect.stringMatching(/^shm\/$/m) });
    for (const given of [directory, path.join(directory, 'sub/in.txt'), '/dev/shm', '/dev/shm/missing'])
      await expectAllDenied(session, USES.slice(0, 9), given);
  });

  it('a mounted directory that is named on the command line is entered', async () => {
    const directory = await mounted();
    await using session = await connectFiles({ ro: ['/dev', directory], crossMounts: false });
    expect(await session.text('read_text_file', { path: path.join(directory, 'sub/in.txt') })).toBe('text inside');
    expect(await session.text('search_files', { path: directory, pattern: 'in.txt' })).toBe(path.join(directory, 'sub/in.txt'));
  });

  it('a mounted directory is entered if the option is absent', async () => {
    const directory = await mounted();
    await using session = await connectFiles({ ro: ['/dev'] });
    expect(await session.text('search_files', { path: '/dev', pattern: `shm/${path.basename(directory)}/**/in.txt` })).toBe(
      path.join(directory, 'sub/in.txt'),
    );
  });
});
