import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from './fixtures/temporary.ts';

async function project(): Promise<string> {
  const root = await temporaryDirectory();
  await mkdir(path.join(root, 'docs/deep'), { recursive: true });
  await writeFile(path.join(root, 'notes.txt'), 'one\ntwo\nthree\n');
  await writeFile(path.join(root, 'docs/guide.md'), '# Guide\n');
  await writeFile(path.join(root, 'docs/deep/.hidden.md'), 'x');
  await symlink('notes.txt', path.join(root, 'link.txt'));
  return root;
}

describe.each(ERAS)('the filesystem server on a %s connection', (era) => {
  it('reads a text file once, with the facts in _meta', async () => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    const result = await session.call('read_text_file', { path: 'notes.txt' });
    expect(result.content).toEqual([{ type: 'text', text: 'one\ntwo\nthree\n' }]);
    expect(result.structuredContent).toBeUndefined();
    expect(result._meta).toMatchObject({ startLine: 1, lines: 3, truncated: false, bytes: 14 });
  });

  it.each([
    ['the first lines', { head: 1 }, 'one\n[Line 1 is shown; the file has 14 bytes. Read on with offset 1.]'],
    ['the last lines', { tail: 2 }, 'two\nthree\n'],
    ['a range', { offset: 1, limit: 1 }, 'two\n[Line 2 is shown; the file has 14 bytes. Read on with offset 2.]'],
  ])('reads %s of a file', async (_, range, text) => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    const { content } = await session.call('read_text_file', { path: 'notes.txt', ...range });
    expect(content).toEqual([{ type: 'text', text }]);
  });

  it('lists a directory, links shown and not followed', async () => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    const result = await session.call('list_directory', { path: root });
    expect(result.content).toEqual([{ type: 'text', text: '[DIR] docs\n[LINK] link.txt\n[FILE] notes.txt' }]);
    expect(result.structuredContent).toMatchObject({
      path: root,
      total: 3,
      truncated: false,
      entries: [
        { name: 'docs', type: 'directory' },
        { name: 'link.txt', type: 'symlink' },
        { name: 'notes.txt', type: 'file', size: 14 },
      ],
    });
  });

  it('reports that a directory is empty', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.text('list_directory', { path: '.' })).toBe('The directory is empty');
  });

  it('finds files by glob, including hidden files and without excluded entries', async () => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    const all = await session.call('search_files', { path: '.', pattern: '**/*.md' });
    expect(all.structuredContent).toEqual({
      matches: [
        { path: path.join(root, 'docs/guide.md'), type: 'file' },
        { path: path.join(root, 'docs/deep/.hidden.md'), type: 'file' },
      ],
      scanned: 6,
      unreadable: 0,
      truncated: false,
    });
    expect(await session.text('search_files', { path: '.', pattern: '**/*.md', excludePatterns: ['deep'] })).toBe(
      path.join(root, 'docs/guide.md'),
    );
    expect(await session.text('search_files', { path: '.', pattern: 'nothing' })).toBe('No matches found');
  });

  it('writes a new file and replaces an old one', async () => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    const created = await session.call('write_file', { path: 'new.txt', content: 'ä' });
    expect(created.structuredContent).toMatchObject({ path: path.join(root, 'new.txt'), bytes: 2, created: true });
    expect(await session.text('write_file', { path: 'notes.txt', content: '' })).toContain('Replaced');
    expect(await readFile(path.join(root, 'new.txt'), 'utf8')).toBe('ä');
    expect(await readFile(path.join(root, 'notes.txt'), 'utf8')).toBe('');
  });

  it('describes a file', async () => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    const { structuredContent } = await session.call('get_file_info', { path: 'notes.txt' });
    expect(structuredContent).toMatchObject({
      path: path.join(root, 'notes.txt'),
      type: 'file',
      size: 14,
      permissions: expect.stringMatching(/^[0-7]{3}$/),
    });
    expect(await session.text('get_file_info', { path: 'docs' })).toContain('type: directory');
  });

  it('lists the allowed directories', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] }, era);
    const result = await session.call('list_allowed_directories');
    expect(result.structuredContent).toEqual({
      directories: [{ path: root, realPath: root, mode: 'rw', available: true, from: 'operator' }],
    });
    expect(result.content).toEqual([{ type: 'text', text: `Allowed directories:\n${root}` }]);
  });

  it('serves a file as a resource: text as text, bytes as a blob', async () => {
    const root = await project();
    await writeFile(path.join(root, 'ü %.bin'), Buffer.from([0, 1, 255]));
    await using session = await connectFiles({ directories: [root] }, era);
    const text = await session.client.readResource({ uri: pathToFileURL(path.join(root, 'notes.txt')).href });
    expect(text.contents).toMatchObject([{ mimeType: 'text/plain', text: 'one\ntwo\nthree\n' }]);
    const blob = await session.client.readResource({ uri: pathToFileURL(path.join(root, 'ü %.bin')).href });
    expect(blob.contents).toMatchObject([{ mimeType: 'application/octet-stream', blob: 'AAH/' }]);
  });

  it('sends a file to review in a prompt, with numbered lines', async () => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] }, era);
    const { messages } = await session.client.getPrompt({
      name: 'review_file',
      arguments: { path: 'notes.txt', focus: 'numbers' },
    });
    expect(messages[0]).toMatchObject({
      role: 'user',
      content: { text: expect.stringContaining('Look at numbers in particular') },
    });
    expect(messages[1]).toMatchObject({
      content: { type: 'text', text: '1\tone\n2\ttwo\n3\tthree\n' },
    });
  });

  it('names every wrong argument in one text', async () => {
    await using session = await connectFiles({ directories: [await temporaryDirectory()] }, era);
    const text = await session.fails('read_text_file', { path: 7, head: 0, limit: 1.5, offest: 1 });
    expect(text.split('\n')).toEqual([
      'INVALID_ARGUMENTS: read_text_file was not run',
      'offest: is not known; did you mean "offset"?',
      'path: expected a string, got 7',
      'limit: expected an integer, got 1.5',
      'head: must not be less than 1',
    ]);
  });
});

describe('a call', () => {
  it.each([
    ['tail with head', { tail: 1, head: 1 }],
    ['tail with offset', { tail: 1, offset: 1 }],
    ['head with limit', { head: 1, limit: 1 }],
  ])('is rejected if read_text_file receives %s', async (_, range) => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('read_text_file', { path: 'notes.txt', ...range })).toMatch(/^INVALID_ARGUMENTS: /);
  });

  it.each([
    ['a directory', 'docs', 'IS_DIRECTORY'],
    ['bytes that are not text', 'nul.bin', 'BINARY_FILE'],
    ['a missing file', 'note.txt', 'NOT_FOUND: "note.txt" does not exist\ndid you mean "notes.txt"?'],
  ])('is rejected if read_text_file receives %s', async (_, name, error) => {
    const root = await project();
    await writeFile(path.join(root, 'nul.bin'), 'a\0b');
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('read_text_file', { path: name })).toContain(error);
  });

  it('is rejected if list_directory or search_files receives a file instead of a directory', async () => {
    const root = await project();
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('list_directory', { path: 'notes.txt' })).toMatch(/^NOT_DIRECTORY/);
    expect(await session.fails('search_files', { path: 'notes.txt', pattern: 'x' })).toMatch(/^NOT_DIRECTORY/);
  });
});

describe('without directories', () => {
  it('every call returns an error with a hint for the operator', async () => {
    await using session = await connectFiles({ directories: [] });
    expect(await session.fails('list_directory', { path: '.' })).toMatch(
      /^ROOTS_REQUIRED: .*\nstart the server with the allowed directories/,
    );
    expect(await session.fails('list_allowed_directories')).toMatch(/^ROOTS_REQUIRED/);
  });
});
