import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

async function rootWith(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const root = await temporaryDirectory();
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(root, name), content);
  return root;
}

describe.each(ERAS)('reading several files on a %s connection', (era) => {
  it('returns a block for each file, and a failed file does not fail the others', async () => {
    const root = await rootWith({ 'a.txt': 'alpha\n', 'b.bin': '\0', 'c.txt': 'gamma\n' });
    await mkdir(path.join(root, 'dir'));
    await symlink('/etc/passwd', path.join(root, 'out'));
    await using session = await connectFiles({ directories: [root] }, era);
    const paths = ['a.txt', 'b.bin', 'dir', 'missing', 'out', '../x', path.join(root, 'c.txt')];
    const { content, _meta } = await session.call('read_multiple_files', { paths });
    expect(content.map((block) => (block.type === 'text' ? block.text.split('\n')[0] : ''))).toEqual([
      'a.txt:',
      'b.bin: BINARY_FILE: "b.bin" is not a text file',
      'dir: IS_DIRECTORY: "dir" is a directory',
      'missing: NOT_FOUND: "missing" does not exist',
      'out: PATH_OUTSIDE_ROOTS: "out" is not inside the allowed directories',
      '../x: PATH_OUTSIDE_ROOTS: "../x" is not inside the allowed directories',
      `${root}/c.txt:`,
    ]);
    expect(content.at(-1)).toMatchObject({ text: `${root}/c.txt:\ngamma\n` });
    expect(_meta).toMatchObject({
      files: [
        { path: 'a.txt', ok: true, etag: expect.stringMatching(/^[\w-]{16}$/), encoding: 'utf-8', totalLines: 1 },
        { path: 'b.bin', ok: false, error: { code: 'BINARY_FILE', message: '"b.bin" is not a text file' } },
        { ok: false },
        { ok: false },
        { ok: false },
        { ok: false },
        { ok: true },
      ],
    });
  });

  it('accepts a line range for each file', async () => {
    const root = await rootWith({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': Buffer.from('für\nö\n', 'latin1') });
    await using session = await connectFiles({ directories: [root] }, era);
    const { content } = await session.call('read_multiple_files', {
      paths: [
        { path: 'a.txt', offset: 1, limit: 1 },
        { path: 'b.txt', tail: 1 },
        { path: 'b.txt', head: 1, encoding: 'windows-1252' },
        { path: 'a.txt', head: 1, tail: 1 },
      ],
    });
    expect(content).toMatchObject([
      { text: 'a.txt:\ntwo\n[Line 2 is shown; the file has 14 bytes. Read on with offset 2.]\n' },
      { text: 'b.txt:\nö\n' },
      { text: 'b.txt:\nfür\n[Line 1 is shown; the file has 6 bytes. Read on with offset 1.]\n' },
      { text: 'a.txt: INVALID_ARGUMENTS: tail cannot be combined with head, offset, skipBytes or limit\n' },
    ]);
  });
});

describe('reading several files', () => {
  it('shares the bytes of a result equally, and gives the rest of small files to large files', async () => {
    const line = 'a line of sixteen\n';
    const root = await rootWith({ a: line.repeat(50), b: line, c: line.repeat(50), d: line.repeat(50) });
    await using session = await connectFiles({ directories: [root] });
    const paths = ['a', 'b', { path: 'c', head: 2 }, 'd', 'missing'];
    const { content, _meta } = await session.call('read_multiple_files', { paths, maxTotalBytes: 1000 });
    expect(_meta).toMatchObject({
      files: [{ lines: 26, nextOffset: 26 }, { lines: 1, truncated: false }, { lines: 2 }, { lines: 26 }, { ok: false }],
    });
    expect(content[0]).toMatchObject({
      text: `a:\n${line.repeat(26)}[Lines 1 to 26 are shown; the file has 900 bytes. Read on with offset 26.]\n`,
    });
  });

  it('is bounded by --max-bytes', async () => {
    const root = await rootWith({ a: 'a line of sixteen\n'.repeat(100), b: 'a line of sixteen\n'.repeat(100) });
    await using session = await connectFiles({ directories: [root], maxBytes: 2048 });
    const { _meta, content } = await session.call('read_multiple_files', {
      paths: ['a', 'b', 'b'],
      maxTotalBytes: 1_000_000,
    });
    expect(_meta).toMatchObject({ files: [{ lines: 21 }, { lines: 21 }, { lines: 21 }] });
    expect(content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0)).toBeLessThan(2048);
  });

  it('counts paths and errors as part of --max-bytes, and reports how many files do not fit', async () => {
    await using session = await connectFiles({ directories: [await rootWith({})], maxBytes: 2048 });
    const paths = Array.from({ length: 40 }, (_, number) => `${'missing-'.repeat(10)}${number}`);
    const { content, _meta } = await session.call('read_multiple_files', { paths });
    const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
    expect(texts.join('').length).toBeLessThanOrEqual(2048);
    const { files, omitted } = _meta as { readonly files: readonly unknown[]; readonly omitted: number };
    expect(files.length + omitted).toBe(40);
    expect(texts.at(-1)).toBe(`[Files that do not fit, at the end of paths: ${omitted}. Name these files in another call.]`);
  });

  it('reports an empty file or a missing last line break in a block that ends with a line break', async () => {
    const root = await rootWith({ empty: '', open: 'one', note: '[cut; read on with offset 9]\n' });
    await using session = await connectFiles({ directories: [root] });
    const { content } = await session.call('read_multiple_files', { paths: ['empty', 'open', 'note'] });
    expect(content).toMatchObject([
      { text: 'empty:\n[The file is empty.]\n' },
      { text: 'open:\none\n[The last line has no line break.]\n' },
      { text: 'note:\n[cut; read on with offset 9]\n[The text ends here.]\n' },
    ]);
  });

  it('rejects more than --max-files paths', async () => {
    await using session = await connectFiles({ directories: [await rootWith({ a: 'a' })], maxFiles: 2 });
    expect(await session.fails('read_multiple_files', { paths: ['a', 'a', 'a'] })).toBe(
      'TOO_LARGE: the call has 3 paths; the limit is 2\nread the files in several calls; the operator can raise the limit with --max-files',
    );
  });

  it.each([
    ['10,000 paths', { paths: Array.from({ length: 10_000 }, () => 'a') }, 'paths: must contain no more than 500 elements'],
    ['no path', { paths: [] }, 'paths: must contain at least 1 elements'],
    ['a number', { paths: [7] }, 'paths.0: expected'],
    ['a list in the list', { paths: [['a']] }, 'paths.0: expected'],
    ['an object without path', { paths: ['a', { head: 1 }] }, 'INVALID_ARGUMENTS: paths.1.path: is required'],
    [
      'lines that there cannot be',
      { paths: [{ path: 'a', head: 0 }] },
      'INVALID_ARGUMENTS: paths.0.head: must not be less than 1',
    ],
    [
      'a name that is not known',
      { paths: [{ path: 'a', length: 1 }] },
      'INVALID_ARGUMENTS: paths.0.length: is not known; the known names are path, head',
    ],
    [
      'a hostile name',
      { paths: [JSON.parse('{"path":"a","__proto__":{"head":1}}')] },
      'paths.0.__proto__: is not allowed as a name',
    ],
  ])('rejects %s', async (_, args, error) => {
    await using session = await connectFiles({ directories: [await rootWith({ a: 'a' })] });
    expect(await session.fails('read_multiple_files', args)).toContain(error);
  });

  it('fails only for the path with a NUL character', async () => {
    await using session = await connectFiles({ directories: [await rootWith({ a: 'a' })] });
    const { _meta } = await session.call('read_multiple_files', { paths: [{ path: 'a\0' }, 'a'] });
    expect(_meta).toMatchObject({ files: [{ ok: false, error: { code: 'INVALID_PATH' } }, { ok: true }] });
  });

  it('treats null as absent', async () => {
    await using session = await connectFiles({ directories: [await rootWith({ a: 'a\nb\n' })] });
    expect(await session.text('read_multiple_files', { paths: [{ path: 'a', head: 1, tail: null }] })).toContain('\na\n');
  });

  it('ends when it is cancelled, and the server continues', async () => {
    const root = await rootWith({ big: 'a line of a log that is long\n'.repeat(1_000_000) });
    await using session = await connectFiles({ directories: [root] });
    const controller = new AbortController();
    const paths = Array.from({ length: 50 }, () => ({ path: 'big', offset: 1e9 }));
    const pending = session.call('read_multiple_files', { paths }, { signal: controller.signal });
    controller.abort('enough');
    await expect(pending).rejects.toThrow('enough');
    expect(await session.text('read_multiple_files', { paths: [{ path: 'big', limit: 1 }] })).toContain('a line of a log');
  });
});
