import { chmod, chown, mkdir, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../fixtures/temporary.ts';

/** A glob that expands to a million globs. */
const BOMB = '{a,b}'.repeat(20);
const ROOT = process.getuid?.() === 0;

describe('a request that would exhaust the server', () => {
  it('by the number of its exclude patterns is rejected before they are read', async () => {
    await using session = await connectFiles({ directories: [await temporaryDirectory()] });
    const text = await session.fails('search_files', {
      path: '.',
      pattern: 'a',
      excludePatterns: Array.from({ length: 100_000 }, () => 1),
    });
    expect(text.split('\n')).toEqual([
      'INVALID_ARGUMENTS: search_files was not run',
      'excludePatterns: must contain no more than 100 elements',
    ]);
  });

  it.each([
    ['list_directory', { pattern: BOMB }],
    ['list_directory_with_sizes', { pattern: BOMB }],
    ['directory_tree', { excludePatterns: [BOMB] }],
    ['search_files', { pattern: BOMB }],
    ['search_files', { pattern: 'a', excludePatterns: [BOMB] }],
    ['search_content', { pattern: 'a', include: [BOMB] }],
    ['search_content', { pattern: 'a', exclude: [BOMB] }],
    ['replace_in_files', { pattern: 'a', replacement: '', include: [BOMB] }],
    ['replace_in_files', { pattern: 'a', replacement: '', exclude: [BOMB] }],
  ])('by a glob with too many alternatives is rejected: %s %j', async (tool, args) => {
    await using session = await connectFiles({ directories: [await temporaryDirectory()] });
    expect(await session.fails(tool, { path: '.', ...args })).toMatch(/^INVALID_ARGUMENTS: invalid pattern: .*more than 64/);
  });

  it.each([
    ['read_text_file', { path: 'a' }, ['offset', 'limit', 'head', 'tail', 'maxBytes', 'maxLineBytes']],
    ['list_directory', { path: '.' }, ['limit']],
    ['directory_tree', { path: '.' }, ['maxDepth', 'maxEntries']],
    ['search_files', { path: '.', pattern: 'a' }, ['limit', 'minSize', 'maxSize']],
    ['search_content', { path: '.', pattern: 'a' }, ['limit', 'before', 'after']],
    ['replace_in_files', { path: '.', pattern: 'a', replacement: 'b' }, ['expectedCount']],
    ['list_changes', {}, ['limit']],
  ])('by an invalid number is rejected: %s', async (tool, args, names) => {
    await using session = await connectFiles({ directories: [await temporaryDirectory()] });
    for (const name of names)
      for (const number of [-1, 0.5, 'one', '1 ', '1e400'])
        expect(await session.fails(tool, { ...args, [name]: number }), name).toMatch(/^INVALID_ARGUMENTS/);
  });

  it('by an offset into a hole of a terabyte is answered quickly', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'sparse'), '');
    await truncate(path.join(root, 'sparse'), 1_000_000_000_000);
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('read_text_file', { path: 'sparse', offset: 1e15 })).toMatch(/^BINARY_FILE/);
    expect(await session.fails('read_text_file', { path: 'sparse', tail: 5 })).toMatch(/^BINARY_FILE/);
  });

  it('by names that grow when they are escaped is cut with a note', async () => {
    const root = await temporaryDirectory();
    let directory = root;
    for (let level = 0; level < 8; level += 1) directory = path.join(directory, '\u0001'.repeat(250));
    await mkdir(directory, { recursive: true });
    for (let file = 0; file < 150; file += 1) await writeFile(path.join(directory, `f${file}`), '');
    await using session = await connectFiles({ directories: [root] });
    const result = await session.call('search_files', { path: '.', pattern: '**' });
    expect(result.structuredContent).toMatchObject({ truncated: true });
    expect(JSON.stringify(result).length).toBeLessThan(8_000_000);
  });

  it('by the length of its arguments gets a short error', async () => {
    await using session = await connectFiles({ directories: [await temporaryDirectory()] });
    const long = 'x'.repeat(1_000_000);
    expect((await session.fails('read_text_file', { path: 'a', [long]: 1 })).length).toBeLessThan(1000);
    expect((await session.fails('read_text_file', { path: long })).length).toBeLessThan(1000);
    const errors = await Promise.all([
      session.client.callTool({ name: long }).catch(String),
      session.client.readResource({ uri: `file:///${long}` }).catch(String),
      session.client.getPrompt({ name: long }).catch(String),
    ]);
    for (const error of errors) expect(JSON.stringify(error).length).toBeLessThan(1000);
  });
});

describe('an odd file', () => {
  it('does not prevent the listing of its directory if its time is outside the range of dates', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'far'), '');
    await utimes(path.join(root, 'far'), 99_999_999_999, 99_999_999_999);
    await using session = await connectFiles({ directories: [root] });
    expect(await session.text('list_directory', { path: '.' })).toBe('[FILE] far');
    expect(await session.text('get_file_info', { path: 'far' })).toContain('modified: ');
  });

  it.runIf(ROOT)('keeps its owner, and loses its setuid bit when a client writes it', async () => {
    const root = await temporaryDirectory();
    const tool = path.join(root, 'tool');
    await writeFile(tool, 'old');
    await chown(tool, 1000, 1000);
    await chmod(tool, 0o6755);
    await using session = await connectFiles({ directories: [root] });
    await session.call('write_file', { path: 'tool', content: 'new' });
    const { uid, gid, mode } = await stat(tool);
    expect([uid, gid, mode & 0o7777]).toEqual([1000, 1000, 0o755]);
  });
});

describe('a read after the end of a file', () => {
  it('reports the number of lines', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.txt'), 'one\ntwo\n');
    await using session = await connectFiles({ directories: [root] });
    const { content } = await session.call('read_text_file', { path: 'a.txt', offset: 9 });
    expect(content).toEqual([{ type: 'text', text: '[The file ends before the requested line: its last line is line 2.]' }]);
  });
});
