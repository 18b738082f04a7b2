import { truncate } from 'node:fs/promises';
import path from 'node:path';

import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';

import { connectFiles } from '../../fixtures/temporary.ts';
import { MANY, noted, read, rootWith } from '../../fixtures/one-file.ts';

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
  ])('is read as text, and the encoding is reported: %s', async (encoding, bytes, text, bom) => {
    await using session = await connectFiles({ directories: [await rootWith(bytes)] });
    const { content, _meta } = await read(session);
    expect(content).toEqual([{ type: 'text', text }]);
    expect(_meta).toMatchObject({ encoding, bom, eol: 'lf', totalLines: 1 });
  });

  it('is read by lines', async () => {
    const bytes = Buffer.from(`\ufeff${MANY.join('')}`, 'utf16le');
    await using session = await connectFiles({ directories: [await rootWith(bytes)] });
    expect((await read(session, { offset: 9, limit: 1 })).content[0]).toEqual(noted('line 10\n'));
    expect((await read(session, { tail: 1 })).content[0]).toMatchObject({ text: 'line 5000\n' });
  });

  it('is detected after a long beginning in ASCII', async () => {
    const bytes = Buffer.from(`${MANY.join('').repeat(3)}für\n`, 'latin1');
    await using session = await connectFiles({ directories: [await rootWith(bytes)] });
    const { content, _meta } = await read(session, { tail: 1 });
    expect(content[0]).toMatchObject({ text: 'für\n' });
    expect(_meta).toMatchObject({ encoding: 'latin1' });
  });

  it('is read in the requested encoding', async () => {
    await using session = await connectFiles({ directories: [await rootWith(Buffer.from(russian, 'utf8'))] });
    expect((await read(session, { encoding: 'latin1' })).content[0]).not.toMatchObject({ text: russian });
  });

  it('is rejected in a wrong encoding', async () => {
    await using session = await connectFiles({ directories: [await rootWith(Buffer.from('für\n', 'latin1'))] });
    expect(await session.fails('read_text_file', { path: 'file.txt', encoding: 'utf-8' })).toBe(
      'ENCODING: the bytes are not valid utf-8\nuse another encoding: utf-8, utf-16le, utf-16be, latin1, windows-1252, shift_jis, gbk',
    );
  });
});

describe('a binary file', () => {
  it.each([
    ['a NUL at the beginning', Buffer.from('\0abc')],
    ['a NUL far behind it', Buffer.concat([Buffer.alloc(19_000, 'a\n'), Buffer.from('\0')])],
    ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * index * 31 + index) % 256))],
  ])('is rejected with a hint: %s', async (_, bytes) => {
    await using session = await connectFiles({ directories: [await rootWith(bytes)] });
    expect(await session.fails('read_text_file', { path: 'file.txt' })).toBe(
      'BINARY_FILE: "file.txt" is not a text file\nread_media_file reads the file as bytes',
    );
  });

  it.each([
    ['from an offset', { offset: 1e15 }],
    ['from the end', { tail: 5 }],
    ['from the end, numbered', { tail: 5, lineNumbers: true }],
    ['with long lines cut', { offset: 1, maxLineBytes: 100 }],
  ])('is rejected quickly although it has a terabyte after the text: %s', async (_, how) => {
    const root = await rootWith('text\n'.repeat(30_000));
    await truncate(path.join(root, 'file.txt'), 1_000_000_000_000);
    await using session = await connectFiles({ directories: [root], maxBytes: 262_144 });
    expect(await session.fails('read_text_file', { path: 'file.txt', ...how })).toMatch(/^BINARY_FILE/);
  });
});
