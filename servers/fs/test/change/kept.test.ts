import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../fixtures/temporary.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LATIN = Buffer.from('Stra\xdfe, gr\xfcn\r\n', 'latin1');

/** The text これは。 in Shift-JIS. */
const KANA = Buffer.from('82b182ea82cd81420d0a', 'hex');

/** Each test case has a title, the bytes of a file, and the bytes after edit_file has replaced `two` by `TWO`. */
const FORMS = [
  ['CRLF', Buffer.from('one\r\ntwo\r\n'), Buffer.from('one\r\nTWO\r\n')],
  ['a byte order mark', Buffer.concat([BOM, Buffer.from('one\ntwo\n')]), Buffer.concat([BOM, Buffer.from('one\nTWO\n')])],
  ['UTF-16', Buffer.from('\uFEFFone\ntwo\n', 'utf16le'), Buffer.from('\uFEFFone\nTWO\n', 'utf16le')],
  ['Latin-1', Buffer.concat([LATIN, Buffer.from('two\r\n')]), Buffer.concat([LATIN, Buffer.from('TWO\r\n')])],
  ['Shift-JIS', Buffer.concat([KANA, Buffer.from('two\r\n')]), Buffer.concat([KANA, Buffer.from('TWO\r\n')])],
  ['UTF-16 without byte order mark', Buffer.from('one\ntwo\n', 'utf16le'), Buffer.from('one\nTWO\n', 'utf16le')],
  ['several kinds of line endings', Buffer.from('a\rb\nc\r\ntwo\r\nd\n'), Buffer.from('a\rb\nc\r\nTWO\r\nd\n')],
  ['no newline at its end', Buffer.from('one\ntwo'), Buffer.from('one\nTWO')],
] as const;

describe.each(ERAS)('a changed file, on a %s connection,', (era) => {
  it.each(FORMS)('keeps %s when it is edited', async (_, before, after) => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f');
    await writeFile(file, before);
    await using session = await connectFiles({ directories: [root] }, era);
    await session.text('edit_file', { path: 'f', edits: [{ oldText: 'two', newText: 'TWO' }] });
    expect(await readFile(file)).toEqual(after);
  });

  it.each([
    ['CRLF', 'a\r\nb\r\n', { content: 'c\nd\n' }, Buffer.from('c\r\nd\r\n')],
    ['CRLF, unless asked not to', 'a\r\nb\r\n', { content: 'c\nd\n', eol: 'as-is' }, Buffer.from('c\nd\n')],
    ['LF, unless asked for CRLF', 'a\n', { content: 'c\nd\r\n', eol: 'crlf' }, Buffer.from('c\r\nd\r\n')],
    ['a byte order mark', '\uFEFFa', { content: 'b' }, Buffer.from('\uFEFFb')],
    ['one byte order mark', '\uFEFFa', { content: '\uFEFFb' }, Buffer.from('\uFEFFb')],
    ['UTF-8, unless asked for another encoding', 'a', { content: 'ä', encoding: 'latin1' }, Buffer.from([0xe4])],
  ])('keeps %s when it is written', async (_, before, input, after) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), before);
    await using session = await connectFiles({ directories: [root] }, era);
    await session.text('write_file', { path: 'f', ...input });
    expect(await readFile(path.join(root, 'f'))).toEqual(after);
  });

  it.each([
    ['Latin-1', LATIN, { content: '\xdf\n' }, Buffer.concat([LATIN, Buffer.from([0xdf, 13, 10])])],
    [
      'Latin-1 behind a long beginning of ASCII alone',
      Buffer.concat([Buffer.alloc(300_000, 'a'), LATIN]),
      { content: '\xdf' },
      Buffer.concat([Buffer.alloc(300_000, 'a'), LATIN, Buffer.from([0xdf])]),
    ],
    [
      'UTF-8 after a long beginning in ASCII, also if the sample of its end begins inside a character',
      Buffer.from(`${'a'.repeat(300_001)}${'ß'.repeat(200_000)}`),
      { content: 'ß' },
      Buffer.from(`${'a'.repeat(300_001)}${'ß'.repeat(200_001)}`),
    ],
    ['UTF-16', Buffer.from('\uFEFFa\n', 'utf16le'), { content: 'b' }, Buffer.from('\uFEFFa\nb', 'utf16le')],
    [
      'its last line, which gets an end',
      Buffer.from('a\r\nb'),
      { content: 'c', ensureNewline: true },
      Buffer.from('a\r\nb\r\nc\r\n'),
    ],
    ['its last line, which has an end', Buffer.from('a\n'), { content: 'b\n', ensureNewline: true }, Buffer.from('a\nb\n')],
  ])('keeps %s when something is appended', async (_, before, input, after) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), before);
    await using session = await connectFiles({ directories: [root] }, era);
    await session.text('append_file', { path: 'f', ...input });
    const content = await readFile(path.join(root, 'f'));
    expect(content.subarray(-20)).toEqual(after.subarray(-20));
    expect(content.equals(after)).toBe(true);
  });
});

const CHANGES = [
  ['write_file', { content: 'b' }],
  ['append_file', { content: 'b' }],
  ['edit_file', { edits: [{ oldText: 'a', newText: 'b' }] }],
] as const;

describe.each(CHANGES)('%s', (tool, input) => {
  it.each([0o600, 0o755, 0o640])('keeps the mode %o', async (mode) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'a');
    await chmod(path.join(root, 'f'), mode);
    await using session = await connectFiles({ directories: [root] });
    await session.text(tool, { path: 'f', ...input });
    expect((await stat(path.join(root, 'f'))).mode & 0o777).toBe(mode);
  });

  it('keeps a link and changes its target', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'sub'));
    await writeFile(path.join(root, 'sub/f'), 'a');
    await symlink('sub/f', path.join(root, 'link'));
    await using session = await connectFiles({ directories: [root] });
    const { structuredContent, _meta } = await session.call(tool, { path: 'link', ...input });
    expect(await readlink(path.join(root, 'link'))).toBe('sub/f');
    expect(await readFile(path.join(root, 'sub/f'), 'utf8')).toContain('b');
    expect(structuredContent ?? _meta).toMatchObject({ path: path.join(root, 'sub/f') });
  });

  it('leaves another hard link of the file, which may be outside, unchanged', async () => {
    const base = await temporaryDirectory();
    const root = path.join(base, 'root');
    await mkdir(root);
    await writeFile(path.join(base, 'outside'), 'a');
    const { link } = await import('node:fs/promises');
    await link(path.join(base, 'outside'), path.join(root, 'f'));
    await using session = await connectFiles({ directories: [root] });
    await session.text(tool, { path: 'f', ...input });
    expect(await readFile(path.join(base, 'outside'), 'utf8')).toBe('a');
    expect(await readFile(path.join(root, 'f'), 'utf8')).toContain('b');
  });

  it('leaves no other file behind', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'a');
    await using session = await connectFiles({ directories: [root] });
    await session.text(tool, { path: 'f', ...input });
    expect(await readdir(root)).toEqual(['f']);
  });

  it('is rejected if the file has another etag, and reports both', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'a');
    await using session = await connectFiles({ directories: [root] });
    const { _meta } = await session.call('edit_file', {
      path: 'f',
      edits: [{ oldText: 'a', newText: 'a' }],
      dryRun: true,
    });
    const { etag } = _meta as { readonly etag: string };
    const result = await session.client.callTool({ name: tool, arguments: { path: 'f', ...input, ifMatch: 'other' } });
    expect(result).toMatchObject({
      isError: true,
      _meta: { error: { code: 'CONFLICT', data: { expected: 'other', actual: etag } } },
    });
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('a');
    await session.text(tool, { path: 'f', ...input, ifMatch: etag });
    expect(await session.fails(tool, { path: 'f', ...input, ifMatch: etag })).toMatch(/^CONFLICT/);
  });

  it('is rejected if an etag is given for a missing file', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails(tool, { path: 'f', ...input, ifMatch: 'x' })).toMatch(/^CONFLICT/);
  });
});

describe('a character that the encoding of the file does not have', () => {
  it.each(CHANGES)('is rejected by %s', async (tool, input) => {
    const root = await temporaryDirectory();
    const bytes = Buffer.concat([LATIN, Buffer.from('a')]);
    await writeFile(path.join(root, 'f'), bytes);
    await using session = await connectFiles({ directories: [root] });
    const foreign = tool === 'edit_file' ? { edits: [{ oldText: ', ', newText: '日' }] } : { ...input, content: '日' };
    expect(await session.fails(tool, { path: 'f', ...foreign })).toMatch(/^ENCODING/);
    expect(await readFile(path.join(root, 'f'))).toEqual(bytes);
    expect((await lstat(path.join(root, 'f'))).isFile()).toBe(true);
  });
});
