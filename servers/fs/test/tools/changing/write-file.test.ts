import { chmod, link, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

/** Creates a directory with one file on each of three levels, and a link. */
async function place(): Promise<string> {
  const root = await temporaryDirectory();
  await mkdir(path.join(root, 'sub/deep'), { recursive: true });
  await writeFile(path.join(root, 'a.txt'), 'alpha');
  await writeFile(path.join(root, 'sub/b.txt'), 'beta');
  await writeFile(path.join(root, 'sub/deep/c.txt'), 'gamma');
  await chmod(path.join(root, 'sub/b.txt'), 0o750);
  await symlink('b.txt', path.join(root, 'sub/link'));
  return root;
}

describe.each(ERAS)('on a %s connection', (era) => {
  it('write_file creates, replaces, or does both, depending on the mode', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.fails('write_file', { path: 'a.txt', content: '', mode: 'create' })).toMatch(/^ALREADY_EXISTS/);
    expect(await session.fails('write_file', { path: 'new', content: '', mode: 'overwrite' })).toMatch(/^NOT_FOUND/);
    expect(await session.text('write_file', { path: 'new', content: '1', mode: 'create' })).toContain('Created');
    expect(await session.text('write_file', { path: 'new', content: '2', mode: 'overwrite' })).toContain('Replaced');
    expect(await readFile(path.join(root, 'new'), 'utf8')).toBe('2');
  });

  it('write_file creates directories only if requested, and undo removes them', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.fails('write_file', { path: 'x/y/z.txt', content: '' })).toBe(
      'NOT_FOUND: the directory of "x/y/z.txt" does not exist\ncreateParents creates missing directories',
    );
    const { structuredContent } = await session.call('write_file', { path: 'x/y/z.txt', content: 'z', createParents: true });
    expect(await readFile(path.join(root, 'x/y/z.txt'), 'utf8')).toBe('z');
    await session.text('undo_change', undoOf(structuredContent));
    expect(await readdir(root)).not.toContain('x');
  });

  it('write_file reports the written file', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    const first = await session.call('write_file', { path: 'new', content: 'ä' });
    expect(first.structuredContent).toEqual({
      path: path.join(root, 'new'),
      bytes: 2,
      created: true,
      etag: expect.stringMatching(/^.{16}$/),
      undoId: expect.any(String),
    });
    const { etag } = first.structuredContent as { readonly etag: string };
    const second = await session.call('write_file', { path: 'new', content: '', ifMatch: etag, permanent: true });
    expect(second.structuredContent).toMatchObject({ bytes: 0, created: false, previousEtag: etag });
    expect(second.structuredContent).not.toHaveProperty('undoId');
  });

  it('append_file creates a missing file', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.text('append_file', { path: 'log', content: 'one', ensureNewline: true })).toContain('Created');
    await session.text('append_file', { path: 'log', content: 'two', ensureNewline: true });
    expect(await readFile(path.join(root, 'log'), 'utf8')).toBe('one\ntwo\n');
  });

  it('create_directory creates missing parents and accepts an existing directory', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    const { structuredContent } = await session.call('create_directory', { path: 'x/y/z' });
    expect((await stat(path.join(root, 'x/y/z'))).isDirectory()).toBe(true);
    const again = await session.call('create_directory', { path: 'x/y/z' });
    expect(again).toMatchObject({ content: [{ text: `${path.join(root, 'x/y/z')} already exists` }] });
    expect(again.structuredContent).toEqual({ path: path.join(root, 'x/y/z'), existed: true });
    expect(await session.fails('create_directory', { path: 'a.txt' })).toMatch(/^NOT_DIRECTORY/);
    await session.text('undo_change', undoOf(structuredContent));
    expect(await readdir(root)).not.toContain('x');
  });

  it('copy_file copies a file with its mode, and replaces a file only if requested', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    await session.text('copy_file', { source: 'sub/b.txt', destination: 'copy' });
    expect(await readFile(path.join(root, 'copy'), 'utf8')).toBe('beta');
    expect((await stat(path.join(root, 'copy'))).mode & 0o777).toBe(0o750);
    expect(await session.fails('copy_file', { source: 'sub/b.txt', destination: 'a.txt' })).toMatch(/^ALREADY_EXISTS/);
    const { structuredContent } = await session.call('copy_file', { source: 'sub/b.txt', destination: 'a.txt', overwrite: true });
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('beta');
    await session.text('undo_change', undoOf(structuredContent));
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('alpha');
  });

  it('copy_file copies the links of a directory as links', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    const { structuredContent } = await session.call('copy_file', { source: 'sub', destination: 'copy' });
    expect(structuredContent).toMatchObject({ path: path.join(root, 'copy'), entries: 4 });
    expect(await readFile(path.join(root, 'copy/deep/c.txt'), 'utf8')).toBe('gamma');
    expect(await readlink(path.join(root, 'copy/link'))).toBe('b.txt');
    expect((await stat(path.join(root, 'copy/b.txt'))).mode & 0o777).toBe(0o750);
    expect(await session.fails('copy_file', { source: 'sub', destination: 'copy' })).toMatch(/^ALREADY_EXISTS/);
    await session.text('undo_change', undoOf(structuredContent));
    expect(await readdir(root)).not.toContain('copy');
  });

  it('copy_file copies a directory into itself once', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    await session.text('copy_file', { source: 'sub', destination: 'sub/deep/copy' });
    expect((await readdir(path.join(root, 'sub/deep/copy'))).sort()).toEqual(['b.txt', 'deep', 'link']);
    expect(await readdir(path.join(root, 'sub/deep/copy/deep'))).toEqual(['c.txt']);
  });

  it('copy_file skips denied entries and reports their number', async () => {
    const root = await place();
    await writeFile(path.join(root, 'sub/.env'), 'SECRET');
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.text('copy_file', { source: 'sub', destination: 'copy' })).toContain(
      'skipped 1 entry that is denied, a git directory or git configuration',
    );
    expect(await readdir(path.join(root, 'copy'))).not.toContain('.env');
  });

  it('move_file moves files, directories and links themselves', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    await session.text('move_file', { source: 'a.txt', destination: 'sub/moved.txt' });
    await session.text('move_file', { source: 'sub/link', destination: 'link' });
    await session.text('move_file', { source: 'sub', destination: 'other' });
    expect(await readFile(path.join(root, 'other/moved.txt'), 'utf8')).toBe('alpha');
    expect(await readlink(path.join(root, 'link'))).toBe('b.txt');
    expect((await readdir(root)).sort()).toEqual(['link', 'other']);
  });

  it.each([
    ['a file', { source: 'a.txt', destination: 'sub/b.txt' }],
    ['a directory', { source: 'a.txt', destination: 'sub', overwrite: true }],
    ['a file, by a directory', { source: 'sub', destination: 'a.txt', overwrite: true }],
    ['a link', { source: 'a.txt', destination: 'sub/link' }],
  ])('move_file does not replace %s', async (_, input) => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.fails('move_file', input)).toMatch(/^ALREADY_EXISTS/);
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('alpha');
    expect(await readFile(path.join(root, 'sub/b.txt'), 'utf8')).toBe('beta');
    expect(await readlink(path.join(root, 'sub/link'))).toBe('b.txt');
  });

  it('move_file does not move a directory into itself', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.fails('move_file', { source: 'sub', destination: 'sub/deep/sub' })).toMatch(/^INVALID_PATH/);
    expect(await readdir(path.join(root, 'sub'))).toContain('b.txt');
    expect(await session.text('list_changes')).toBe('No change can be undone');
  });

  it('move_file to the same path changes nothing and has no undo', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    for (const name of ['a.txt', 'sub', 'sub/link']) {
      const { structuredContent } = await session.call('move_file', { source: name, destination: `./${name}` });
      expect(structuredContent).toEqual({ path: path.join(root, name) });
    }
    expect(await session.text('list_changes')).toBe('No change can be undone');
  });

  it('move_file between two hard links of a file leaves one, if it may replace', async () => {
    const root = await place();
    await link(path.join(root, 'a.txt'), path.join(root, 'twin.txt'));
    await using session = await connectFiles({ directories: [root] }, era);
    const input = { source: 'a.txt', destination: 'twin.txt' };
    expect(await session.fails('move_file', input)).toMatch(/^ALREADY_EXISTS/);
    const { structuredContent } = await session.call('move_file', { ...input, overwrite: true });
    expect((await readdir(root)).sort()).toEqual(['sub', 'twin.txt']);
    await session.text('undo_change', undoOf(structuredContent));
    for (const name of ['a.txt', 'twin.txt']) expect(await readFile(path.join(root, name), 'utf8')).toBe('alpha');
  });

  it('move_file replaces a file if requested, and undo restores both', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    const { structuredContent } = await session.call('move_file', { source: 'a.txt', destination: 'sub/b.txt', overwrite: true });
    expect(await readFile(path.join(root, 'sub/b.txt'), 'utf8')).toBe('alpha');
    const undone = await session.call('undo_change', undoOf(structuredContent));
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('alpha');
    expect(await readFile(path.join(root, 'sub/b.txt'), 'utf8')).toBe('beta');
    expect((await stat(path.join(root, 'sub/b.txt'))).mode & 0o777).toBe(0o750);
    await session.text('undo_change', undoOf(undone.structuredContent));
    expect(await readdir(root)).not.toContain('a.txt');
    expect(await readFile(path.join(root, 'sub/b.txt'), 'utf8')).toBe('alpha');
  });

  it('delete_file removes files, links themselves and empty directories', async () => {
    const root = await place();
    await mkdir(path.join(root, 'empty'));
    await using session = await connectFiles({ directories: [root] }, era);
    for (const name of ['a.txt', 'sub/link', 'empty']) await session.text('delete_file', { path: name });
    expect(await readdir(root)).toEqual(['sub']);
    expect((await readdir(path.join(root, 'sub'))).sort()).toEqual(['b.txt', 'deep']);
    expect(await session.fails('delete_file', { path: 'a.txt' })).toMatch(/^NOT_FOUND/);
  });

  it('delete_file removes a non-empty directory only if requested, and undo restores all of it', async () => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.fails('delete_file', { path: 'sub' })).toMatch(/^NOT_EMPTY/);
    const { structuredContent } = await session.call('delete_file', { path: 'sub', recursive: true });
    expect(structuredContent).toMatchObject({ entries: 4 });
    expect(await readdir(root)).toEqual(['a.txt']);
    await session.text('undo_change', undoOf(structuredContent));
    expect(await readFile(path.join(root, 'sub/deep/c.txt'), 'utf8')).toBe('gamma');
    expect((await stat(path.join(root, 'sub/b.txt'))).mode & 0o777).toBe(0o750);
    expect((await lstat(path.join(root, 'sub/link'))).isSymbolicLink()).toBe(true);
  });

  it.each(['delete_file', 'move_file', 'copy_file'])('%s is rejected if the file has another etag', async (tool) => {
    const root = await place();
    await using session = await connectFiles({ directories: [root] }, era);
    const input = tool === 'delete_file' ? { path: 'a.txt' } : { source: 'a.txt', destination: 'new' };
    expect(await session.fails(tool, { ...input, ifMatch: 'other' })).toMatch(/^CONFLICT/);
    expect((await readdir(root)).sort()).toEqual(['a.txt', 'sub']);
  });

  it.each([
    ['delete_file', { path: 'sub', recursive: true }],
    ['delete_file', { path: 'sub', recursive: true, permanent: true }],
    ['move_file', { source: 'sub', destination: 'other' }],
  ])('%s does not change a directory with denied entries: %j', async (tool, input) => {
    const root = await place();
    await writeFile(path.join(root, 'sub/deep/.env'), 'SECRET');
    await using session = await connectFiles({ directories: [root] }, era);
    const text = await session.fails(tool, input);
    expect(text).toMatch(/^DENIED_BY_POLICY/);
    expect(text).not.toContain('.env');
    expect((await readdir(root)).sort()).toEqual(['a.txt', 'sub']);
    expect(await readFile(path.join(root, 'sub/deep/.env'), 'utf8')).toBe('SECRET');
  });

  it.each([
    ['delete_file', { path: 'sub', recursive: true }, { maxTreeEntries: 3 }],
    ['copy_file', { source: 'sub', destination: 'copy' }, { maxTreeEntries: 3 }],
    ['delete_file', { path: 'large' }, { maxJournalBytes: 1_048_576 }],
    ['write_file', { path: 'large', content: '' }, { maxJournalBytes: 1_048_576 }],
  ])('%s is rejected above a limit: %j, %j', async (tool, input, limits) => {
    const root = await place();
    await writeFile(path.join(root, 'large'), Buffer.alloc(1_048_577));
    await using session = await connectFiles({ directories: [root], ...limits }, era);
    expect(await session.fails(tool, input)).toMatch(/^TOO_LARGE/);
    expect((await readdir(root)).sort()).toEqual(['a.txt', 'large', 'sub']);
    if (tool === 'copy_file') return;
    expect(await session.text(tool, { ...input, permanent: true })).not.toContain('undo');
  });
});

function undoOf(structured: unknown): { readonly undoId: string } {
  return { undoId: (structured as { readonly undoId: string }).undoId };
}
