import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from './fixtures/temporary.ts';

async function directoryOf(names: readonly string[], content = ''): Promise<string> {
  const root = await temporaryDirectory();
  for (const name of names) await writeFile(path.join(root, name), content);
  return root;
}

describe('the limit', () => {
  it('--max-bytes cuts a read and names the next offset', async () => {
    const root = await directoryOf(['long.txt'], `${'x'.repeat(99)}\n`.repeat(100));
    await using session = await connectFiles({ directories: [root], maxBytes: 1024 });
    const { content, _meta } = await session.call('read_text_file', { path: 'long.txt' });
    expect(_meta).toMatchObject({ truncated: true, lines: 7, nextOffset: 7, bytes: 10_000 });
    expect(content).toMatchObject([
      { text: expect.stringMatching(/x\n\[Lines 1 to 7 are shown; the file has 10000 bytes. Read on with offset 7\.\]$/) },
    ]);
  });

  it('--max-bytes cuts an endless line and reports the cut', async () => {
    const root = await directoryOf(['line.txt'], 'x'.repeat(5000));
    await using session = await connectFiles({ directories: [root], maxBytes: 1024 });
    const head = await session.call('read_text_file', { path: 'line.txt' });
    expect(head.content[0]).toMatchObject({
      text: expect.stringMatching(
        /x\n\[Line 1 is shown in part; the file has 5000 bytes. Read on with offset 0 and skipBytes 768\.\]$/,
      ),
    });
    const tail = await session.call('read_text_file', { path: 'line.txt', tail: 1 });
    expect(tail.content[0]).toMatchObject({
      text: expect.stringContaining('The first line shown is longer than the limit and was cut.'),
    });
  });

  it('--max-bytes does not report a whole line without a newline as cut', async () => {
    const root = await directoryOf(['lines.txt'], 'a\nb');
    await using session = await connectFiles({ directories: [root] });
    const { content } = await session.call('read_text_file', { path: 'lines.txt', tail: 1 });
    expect(content).toEqual([{ type: 'text', text: 'b' }]);
  });

  it('--max-binary-bytes rejects more bytes in base64', async () => {
    const root = await directoryOf([]);
    await using session = await connectFiles({ directories: [root], maxBinaryBytes: 1024 });
    const write = { path: 'f', encoding: 'base64' };
    await session.text('write_file', { ...write, content: Buffer.alloc(1024).toString('base64') });
    expect(await session.fails('write_file', { ...write, content: Buffer.alloc(1025).toString('base64') })).toBe(
      'TOO_LARGE: the content has 1025 bytes; the limit of base64 is 1024 bytes\nthe operator can raise the limit with --max-binary-bytes',
    );
  });

  it('--max-resource-bytes rejects a larger resource', async () => {
    const root = await directoryOf(['long.txt'], 'x'.repeat(1025));
    await using session = await connectFiles({ directories: [root], maxResourceBytes: 1024 });
    const read = session.client.readResource({ uri: pathToFileURL(path.join(root, 'long.txt')).href });
    await expect(read).rejects.toMatchObject({ message: expect.stringContaining('TOO_LARGE'), data: { code: 'TOO_LARGE' } });
  });

  it('--max-entries cuts a listing and counts the rest', async () => {
    const root = await directoryOf(['a', 'b', 'c']);
    await using session = await connectFiles({ directories: [root], maxEntries: 2 });
    const result = await session.call('list_directory', { path: '.' });
    expect(result.structuredContent).toMatchObject({ total: 3, truncated: true, entries: [{ name: 'a' }, { name: 'b' }] });
    expect(result.content).toMatchObject([
      { text: expect.stringMatching(/^\[FILE\] a\n\[FILE\] b\n\[2 of 3 entries are shown; continue with cursor \S+\.\]$/) },
    ]);
  });

  it.each([
    ['--max-matches', { maxMatches: 2 }, 2, /\n\[2 matches are shown; continue with cursor \S+\.\]$/],
    [
      '--max-scanned',
      { maxScanned: 1 },
      1,
      /\n\[1 match is shown; the search ended at a limit, so narrow the pattern or the directory\.\]$/,
    ],
  ])('%s ends a search with a note', async (_, limit, found, note) => {
    const root = await directoryOf(['a1', 'a2', 'a3'], 'x\n');
    await using session = await connectFiles({ directories: [root], ...limit });
    const result = await session.call('search_files', { path: '.', pattern: 'a' });
    expect(result.structuredContent).toMatchObject({ truncated: true, matches: { length: found } });
    expect(result.content[0]).toMatchObject({ text: expect.stringMatching(note) });
    const inside = await session.call('search_content', { path: '.', pattern: 'x', outputMode: 'files' });
    expect(inside.content[0]).toMatchObject({ text: expect.stringMatching(/\n\[\d files? (?:is|are) shown; .*\.\]$/) });
  });

  it.each([
    ['--max-matches', { maxMatches: 2 }],
    ['--max-scanned', { maxScanned: 2 }],
    ['--max-entries', { maxEntries: 2 }],
  ])('%s permits exactly that number', async (_, limit) => {
    const root = await directoryOf(['a1', 'a2']);
    await using session = await connectFiles({ directories: [root], ...limit });
    expect((await session.call('search_files', { path: '.', pattern: 'a' })).structuredContent).toMatchObject({
      truncated: false,
    });
    expect((await session.call('list_directory', { path: '.' })).structuredContent).toMatchObject({ truncated: false });
  });

  it('of a pattern is 1000 characters', async () => {
    await using session = await connectFiles({ directories: [await temporaryDirectory()] });
    expect(await session.fails('search_files', { path: '.', pattern: '*'.repeat(1001) })).toContain(
      'pattern: must have 1 to 1000 characters',
    );
  });
});

describe('a cancelled search', () => {
  it('ends without an answer', async () => {
    const root = await directoryOf(Array.from({ length: 2000 }, (_, number) => `f${number}`));
    await using session = await connectFiles({ directories: [root] });
    const controller = new AbortController();
    const search = session.call(
      'search_files',
      { path: '.', pattern: 'f' },
      { signal: controller.signal, onprogress: () => controller.abort('enough') },
    );
    await expect(search).rejects.toThrow('enough');
    expect(await session.text('list_allowed_directories')).toContain(root);
  });
});
