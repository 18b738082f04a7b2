import { createHash } from 'node:crypto';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

describe.each(ERAS)('facts about a file on a %s connection', (era) => {
  it('contain its type, and the etag that reads return', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.md'), '# A\n');
    await using session = await connectFiles({ directories: [root] }, era);
    const { structuredContent } = await session.call('get_file_info', { path: 'a.md' });
    expect(structuredContent).toMatchObject({ type: 'file', size: 4, mime: 'text/markdown', binary: false });
    expect(structuredContent).not.toHaveProperty('sha256');
    expect(structuredContent).not.toHaveProperty('lineCount');
    const { _meta } = await session.call('read_text_file', { path: 'a.md' });
    expect(structuredContent).toMatchObject({ etag: _meta?.['etag'] });
  });

  it('contain its hash and line count if requested', async () => {
    const root = await temporaryDirectory();
    const content = 'a line\n'.repeat(300_000) + 'and one without end';
    await writeFile(path.join(root, 'a'), content);
    await using session = await connectFiles({ directories: [root] }, era);
    const { structuredContent } = await session.call('get_file_info', { path: 'a', hash: true, lineCount: true });
    expect(structuredContent).toMatchObject({
      sha256: createHash('sha256').update(content).digest('hex'),
      lineCount: 300_001,
    });
  });
});

describe('the lines of a file', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 0],
    ['a line without end', Buffer.from('a'), 1],
    ['CRLF', Buffer.from('a\r\nb\r\n'), 2],
    ['UTF-16', Buffer.from('\ufeffaĊ\nb਀\n', 'utf16le'), 2],
  ])('are counted: %s', async (_, content, lineCount) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a'), content);
    await using session = await connectFiles({ directories: [root] });
    const { structuredContent } = await session.call('get_file_info', { path: 'a', lineCount: true });
    expect(structuredContent).toMatchObject({ lineCount });
  });
});

/** Targets of links, keyed by the names of the links. `ROOT` stands for the root. */
const HIDDEN_TARGETS = {
  'a file outside': '../hidden place/there',
  'nothing outside': '/secrets of/others',
  'an absolute path outside': 'ROOT/../hidden place/there',
  'inside by a way outside': '../hidden place/../root/a.txt',
  'inside by an absolute way outside': '/secret of/../ROOT/a.txt',
  'outside by another link': 'dir/out/there',
  'nothing outside by another link': 'dir/out/missing',
  'a file that is denied': '.env',
};

describe('information about a link', () => {
  async function rootWithLinks(): Promise<string> {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.txt'), 'text');
    await mkdir(path.join(root, 'dir'));
    await symlink('a.txt', path.join(root, 'link'));
    await symlink('../a.txt', path.join(root, 'dir/up'));
    await symlink('/etc/passwd', path.join(root, 'out'));
    await symlink('nowhere', path.join(root, 'dangling'));
    return root;
  }

  it('contains the facts about its target, and its text', async () => {
    await using session = await connectFiles({ directories: [await rootWithLinks()] });
    const { structuredContent } = await session.call('get_file_info', { path: 'link' });
    expect(structuredContent).toMatchObject({ type: 'file', size: 4, target: 'a.txt' });
  });

  it.each([
    ['link', 'a.txt'],
    ['dir/up', '../a.txt'],
    ['dangling', 'nowhere'],
  ])('contains its own facts if requested: %s', async (name, target) => {
    const root = await rootWithLinks();
    await using session = await connectFiles({ directories: [root] });
    const { structuredContent } = await session.call('get_file_info', { path: name, followLinks: false });
    expect(structuredContent).toMatchObject({ path: path.join(root, name), type: 'symlink', size: target.length, target });
    expect(structuredContent).not.toHaveProperty('mime');
  });

  it.each(Object.entries(HIDDEN_TARGETS))('does not name a path that is outside or denied: %s', async (name, target) => {
    const root = path.join(await temporaryDirectory(), 'root');
    await mkdir(path.join(root, 'dir'), { recursive: true });
    await mkdir(path.join(root, '../hidden place'));
    for (const file of ['a.txt', '.env', '../hidden place/there']) await writeFile(path.join(root, file), 'text');
    await symlink('../hidden place', path.join(root, 'dir/out'));
    await symlink(target.replace('ROOT', root), path.join(root, name));
    await using session = await connectFiles({ directories: [root] });
    for (const [tool, input] of [
      ['get_file_info', { path: name, followLinks: false }],
      ['list_directory', { path: '.' }],
      ['list_directory_with_sizes', { path: '.' }],
      ['directory_tree', { path: '.' }],
      ['search_files', { path: '.', pattern: '**' }],
    ] as const) {
      const answer = JSON.stringify(await session.call(tool, input));
      expect(answer, tool).not.toMatch(/hidden place|secrets? of|target/);
    }
  });

  it.each([
    ['a file that is not a link', 'a.txt', 'file'],
    ['a root', '.', 'directory'],
    ['a directory by a path with dots', 'dir/..', 'directory'],
  ])('contains no target for %s', async (_, name, type) => {
    await using session = await connectFiles({ directories: [await rootWithLinks()] });
    const { structuredContent } = await session.call('get_file_info', { path: name, followLinks: false });
    expect(structuredContent).toMatchObject({ type });
    expect(structuredContent).not.toHaveProperty('target');
  });

  it('does not disclose the target of a link to the outside', async () => {
    await using session = await connectFiles({ directories: [await rootWithLinks()] });
    for (const how of [{}, { hash: true }, { followLinks: true, lineCount: true }]) {
      expect(await session.fails('get_file_info', { path: 'out', ...how })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    }
  });
});

describe('facts about an entry without readable content', () => {
  it('are rejected only if they require the content: a directory', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    await mkdir(path.join(root, 'below'));
    for (const directory of [root, 'below']) {
      expect(await session.text('get_file_info', { path: directory })).toContain('type: directory');
      expect(await session.fails('get_file_info', { path: directory, hash: true })).toMatch(/^IS_DIRECTORY/);
    }
  });

  it('are returned for a terabyte, which is not hashed', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'sparse'), '');
    await truncate(path.join(root, 'sparse'), 1_000_000_000_000);
    await using session = await connectFiles({ directories: [root] });
    const { structuredContent } = await session.call('get_file_info', { path: 'sparse' });
    expect(structuredContent).toMatchObject({ size: 1_000_000_000_000, binary: true, mime: 'application/octet-stream' });
    expect(await session.fails('get_file_info', { path: 'sparse', hash: true })).toBe(
      'TOO_LARGE: "sparse" has 1000000000000 bytes; the limit for hash and lineCount is 4294967296 bytes\nthe operator can raise the limit with --max-hash-bytes',
    );
  });
});
