import { appendFile, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../temporary.ts';

const MANY = Array.from({ length: 5000 }, (_, number) => `line ${number + 1}\n`);

/** A root with one file, `file.txt`. */
async function rootWith(content: string | Buffer): Promise<string> {
  const root = await temporaryDirectory();
  await writeFile(path.join(root, 'file.txt'), content);
  return root;
}

function read(session: Session, how: object = {}, tool = 'read_text_file'): ReturnType<Session['call']> {
  return session.call(tool, { path: 'file.txt', ...how });
}

describe.each(ERAS)('a read on a %s connection', (era) => {
  it('tells the facts of a whole file', async () => {
    await using session = await connectFiles({ directories: [await rootWith('one\r\ntwo\r\n')] }, era);
    const { content, _meta } = await read(session);
    expect(content).toEqual([{ type: 'text', text: 'one\r\ntwo\r\n' }]);
    expect(_meta).toMatchObject({
      etag: expect.stringMatching(/^[\w-]{16}$/),
      encoding: 'utf-8',
      bom: false,
      eol: 'crlf',
      startLine: 1,
      endLine: 2,
      totalLines: 2,
      truncated: false,
      bytes: 10,
    });
  });

  it('tells where a range lies, and where to go on', async () => {
    await using session = await connectFiles({ directories: [await rootWith(MANY.join(''))] }, era);
    const { content, _meta } = await read(session, { offset: 1000, limit: 2 });
    expect(content[0]).toEqual({ type: 'text', text: 'line 1001\nline 1002\n' });
    expect(content).toHaveLength(2);
    expect(_meta).toMatchObject({ startLine: 1001, endLine: 1002, truncated: true, nextOffset: 1002 });
    expect(_meta?.['totalLines']).toBeUndefined();
  });

  it('is the same under its old name', async () => {
    await using session = await connectFiles({ directories: [await rootWith(MANY.join(''))] }, era);
    const how = { tail: 3 };
    expect(await read(session, how, 'read_file')).toEqual(await read(session, how));
  });

  it('says no more than that a file is unchanged, until it changes', async () => {
    const root = await rootWith('one\n');
    await using session = await connectFiles({ directories: [root] }, era);
    const etag = (await read(session))._meta?.['etag'];
    const again = await read(session, { ifNoneMatch: etag });
    expect(again.content).toEqual([{ type: 'text', text: 'Unchanged since that etag' }]);
    expect(again._meta).toMatchObject({ etag, unchanged: true });
    await appendFile(path.join(root, 'file.txt'), 'two\n');
    const changed = await read(session, { ifNoneMatch: etag });
    expect(changed.content[0]).toMatchObject({ text: 'one\ntwo\n' });
    expect(changed._meta?.['etag']).not.toBe(etag);
  });

  it('says the same of a file that changed in its time alone', async () => {
    const root = await rootWith('one\n');
    await using session = await connectFiles({ directories: [root] }, era);
    const etag = (await read(session))._meta?.['etag'];
    await utimes(path.join(root, 'file.txt'), 1, 1);
    expect((await read(session, { ifNoneMatch: etag })).content[0]).toMatchObject({ text: 'one\n' });
  });

  it('sends a body once', async () => {
    const body = 'The quick brown fox jumps over the lazy dog, and says so.\n'.repeat(4000);
    await using session = await connectFiles({ directories: [await rootWith(body)] }, era);
    const wire = JSON.stringify(await read(session)).length;
    expect(wire / body.length).toBeLessThan(1.15);
  });
});

describe('line numbers', () => {
  it.each([
    ['from the start', { head: 2 }, '1\tline 1\n2\tline 2\n'],
    ['after an offset', { offset: 4998 }, '4999\tline 4999\n5000\tline 5000\n'],
    ['from the end', { tail: 2 }, '4999\tline 4999\n5000\tline 5000\n'],
  ])('are those of the file %s', async (_, range, text) => {
    await using session = await connectFiles({ directories: [await rootWith(MANY.join(''))], maxReadBytes: 2048 });
    const { content, _meta } = await read(session, { lineNumbers: true, ...range });
    expect(content[0]).toMatchObject({ text });
    expect(_meta?.['startLine']).toBe(Number(text.split('\t')[0]));
  });

  it('are not put behind a last newline, and are put before a line without', async () => {
    await using session = await connectFiles({ directories: [await rootWith('a\n\nb')] });
    expect((await read(session, { lineNumbers: true })).content).toMatchObject([{ text: '1\ta\n2\t\n3\tb' }]);
  });
});

describe('a limit of a read', () => {
  it('is what was asked for, and never more than --max-read-bytes', async () => {
    await using session = await connectFiles({ directories: [await rootWith(MANY.join(''))], maxReadBytes: 1024 });
    expect((await read(session, { maxBytes: 100 })).content[0]).toMatchObject({ text: MANY.slice(0, 13).join('') });
    const capped = await read(session, { maxBytes: 1_000_000 });
    expect(capped.content[0]).toEqual((await read(session)).content[0]);
    expect(capped._meta).toMatchObject({ truncated: true });
  });

  it('cuts long lines where it is asked to, and counts them', async () => {
    await using session = await connectFiles({ directories: [await rootWith(`a\n${'x'.repeat(1_000_000)}\nb\n`)] });
    const { content, _meta } = await read(session, { maxLineBytes: 20 });
    expect(content).toEqual([{ type: 'text', text: `a\n${'x'.repeat(20)} ... [line cut]\nb\n` }]);
    expect(_meta).toMatchObject({ cutLines: 1, truncated: false, totalLines: 3 });
  });

  it.each([
    ['a line of 31 MB, its beginning', { head: 1 }],
    ['a line of 31 MB, its end', { tail: 1 }],
    ['a line of 31 MB, cut', { head: 1, maxLineBytes: 100 }],
    ['a line of 31 MB, numbered', { tail: 1, lineNumbers: true }],
  ])('bounds %s', async (_, how) => {
    await using session = await connectFiles({ directories: [await rootWith('x'.repeat(31_000_000))] });
    const result = await read(session, how);
    expect(JSON.stringify(result).length).toBeLessThan(300_000);
    expect(JSON.stringify(result.content.map((block) => (block.type === 'text' ? block.text.slice(-400) : '')))).toContain('cut');
  });

  it('may be 1e15 lines', async () => {
    await using session = await connectFiles({ directories: [await rootWith('a\n')] });
    for (const how of [{ limit: 1e15 }, { head: 1e15 }, { tail: 1e15 }])
      expect((await read(session, how)).content).toEqual([{ type: 'text', text: 'a\n' }]);
  });

  it.each([
    ['−1 lines', { limit: -1 }, 'limit: must not be less than 1'],
    ['half a line', { head: 0.5 }, 'head: expected an integer, got 0.5'],
    ['lines of 3 bytes', { maxLineBytes: 3 }, 'maxLineBytes: must not be less than 16'],
    ['an encoding that there is not', { encoding: 'ebcdic' }, 'encoding: '],
  ])('is not %s', async (_, how, error) => {
    await using session = await connectFiles({ directories: [await rootWith('a\n')] });
    expect(await session.fails('read_text_file', { path: 'file.txt', ...how })).toContain(error);
  });
});

describe('a text in another encoding', () => {
  const russian = 'Привет\n';
  it.each([
    ['utf-8', Buffer.from('\ufeffGrüße\n'), 'Grüße\n', true],
    ['utf-16le', Buffer.from('\ufeffGrüße\n', 'utf16le'), 'Grüße\n', true],
    ['utf-16be', Buffer.from('\ufeffGrüße\n', 'utf16le').swap16(), 'Grüße\n', true],
    ['utf-16le', Buffer.from('without mark\n', 'utf16le'), 'without mark\n', false],
    ['latin1', Buffer.from('Grüße\n', 'latin1'), 'Grüße\n', false],
    ['windows-1252', iconv.encode('“Grüße” – 5 €\n', 'windows-1252'), '“Grüße” – 5 €\n', false],
    ['shift_jis', iconv.encode('これは日本語です\n', 'shift_jis'), 'これは日本語です\n', false],
    ['gbk', iconv.encode('这是中文文件\n', 'gbk'), '这是中文文件\n', false],
  ])('is read as text, and the encoding is told: %s', async (encoding, bytes, text, bom) => {
    await using session = await connectFiles({ directories: [await rootWith(bytes)] });
    const { content, _meta } = await read(session);
    expect(content).toEqual([{ type: 'text', text }]);
    expect(_meta).toMatchObject({ encoding, bom, eol: 'lf', totalLines: 1 });
  });

  it('is read by lines', async () => {
    const bytes = Buffer.from(`\ufeff${MANY.join('')}`, 'utf16le');
    await using session = await connectFiles({ directories: [await rootWith(bytes)] });
    expect((await read(session, { offset: 9, limit: 1 })).content[0]).toMatchObject({ text: 'line 10\n' });
    expect((await read(session, { tail: 1 })).content[0]).toMatchObject({ text: 'line 5000\n' });
  });

  it('is seen where a long beginning is of ASCII alone', async () => {
    const bytes = Buffer.from(`${MANY.join('').repeat(3)}für\n`, 'latin1');
    await using session = await connectFiles({ directories: [await rootWith(bytes)] });
    const { content, _meta } = await read(session, { tail: 1 });
    expect(content[0]).toMatchObject({ text: 'für\n' });
    expect(_meta).toMatchObject({ encoding: 'latin1' });
  });

  it('is read as the one that was named', async () => {
    await using session = await connectFiles({ directories: [await rootWith(Buffer.from(russian, 'utf8'))] });
    expect((await read(session, { encoding: 'latin1' })).content[0]).not.toMatchObject({ text: russian });
  });

  it('is refused as one that it is not', async () => {
    await using session = await connectFiles({ directories: [await rootWith(Buffer.from('für\n', 'latin1'))] });
    expect(await session.fails('read_text_file', { path: 'file.txt', encoding: 'utf-8' })).toBe(
      'ENCODING: the bytes are not valid utf-8\nname another encoding: utf-8, utf-16le, utf-16be, latin1, windows-1252, shift_jis, gbk',
    );
  });
});

describe('what is not text', () => {
  it.each([
    ['a NUL at the beginning', Buffer.from('\0abc')],
    ['a NUL far behind it', Buffer.concat([Buffer.alloc(100_000, 'a\n'), Buffer.from('\0')])],
    ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * index * 31 + index) % 256))],
  ])('is refused with a hint: %s', async (_, bytes) => {
    await using session = await connectFiles({ directories: [await rootWith(bytes)] });
    expect(await session.fails('read_text_file', { path: 'file.txt' })).toBe(
      'BINARY_FILE: "file.txt" is not a text file\nread_media_file reads it as bytes',
    );
  });

  it.each([
    ['from an offset', { offset: 1e15 }],
    ['from the end', { tail: 5 }],
    ['from the end, numbered', { tail: 5, lineNumbers: true }],
    ['with long lines cut', { offset: 1, maxLineBytes: 100 }],
  ])('is answered although it has a terabyte, behind text: %s', async (_, how) => {
    const root = await rootWith('text\n'.repeat(30_000));
    await truncate(path.join(root, 'file.txt'), 1_000_000_000_000);
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('read_text_file', { path: 'file.txt', ...how })).toMatch(/^BINARY_FILE/);
  });
});

describe('a long read', () => {
  it('ends when it is cancelled, and the server goes on', async () => {
    const root = await rootWith('x\n'.repeat(100));
    const lines = Buffer.alloc(1_048_576, 'another line of a log\n');
    for (let part = 0; part < 200; part += 1) await appendFile(path.join(root, 'file.txt'), lines);
    await using session = await connectFiles({ directories: [root] });
    const controller = new AbortController();
    const pending = session.call('read_text_file', { path: 'file.txt', offset: 1e12 }, { signal: controller.signal });
    controller.abort('enough');
    await expect(pending).rejects.toThrow('enough');
    expect((await read(session, { head: 1 })).content[0]).toMatchObject({ text: 'x\n' });
  });
});
