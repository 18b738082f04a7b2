import { describe, expect, it } from 'vitest';

import { LineReader } from '../../src/stdio/stdio-transport.ts';

/** Reads chunks and returns the lines, and `too long` for each skipped line. */
function read(chunks: readonly (string | Buffer)[], maxLine = 1000): readonly string[] {
  const seen: string[] = [];
  const reader = new LineReader(maxLine, { line: (text) => seen.push(text), tooLong: () => seen.push('too long') });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return seen;
}

describe('a reader of lines', () => {
  it.each([
    ['several lines in one chunk', ['a\nb\nc\n'], ['a', 'b', 'c']],
    ['one line in several chunks', ['a', 'b', 'c\n'], ['abc']],
    ['the end of one line and the beginning of the next in one chunk', ['a', 'b\nc', 'd\n'], ['ab', 'cd']],
    ['a line whose line break is in a separate chunk', ['a', '\n'], ['a']],
    ['a last line without a line break', ['a\nb'], ['a', 'b']],
    ['no line without input', [''], []],
    ['an empty line as no line', ['a\n\n\nb\n'], ['a', 'b']],
    ['a carriage return as part of the line, which JSON skips', ['a\r\nb\r\n'], ['a\r', 'b\r']],
    ['no byte order mark at the start', ['\uFEFFa\nb\n'], ['a', 'b']],
    ['a byte order mark elsewhere', ['a\n\uFEFFb\n'], ['a', '\uFEFFb']],
  ])('reports %s', (_, chunks, lines) => {
    expect(read(chunks)).toEqual(lines);
  });

  it('decodes characters that are split between chunks', () => {
    const bytes = Buffer.from('aé€😀z\n');
    const cuts = Array.from({ length: bytes.length }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
    for (const chunks of [...cuts, [...bytes].map((byte) => Buffer.from([byte]))]) expect(read(chunks)).toEqual(['aé€😀z']);
  });

  it.each([
    ['an invalid first byte', [0x61, 0xff, 0x62], 'a\uFFFDb'],
    ['a truncated character', [0x61, 0xe2, 0x82], 'a\uFFFD'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\uFFFD\uFFFD\uFFFD'],
  ])('replaces invalid UTF-8: %s', (_, bytes, line) => {
    expect(read([Buffer.from([...bytes, 0x0a]), 'next\n'])).toEqual([line, 'next']);
  });

  it('counts bytes, not characters', () => {
    const sizes: number[] = [];
    const reader = new LineReader(100, { line: (_, bytes) => sizes.push(bytes), tooLong: () => sizes.push(-1) });
    reader.push(Buffer.from('€€\nab\n'));
    expect(sizes).toEqual([6, 2]);
    expect(read(['€€€\n'], 8)).toEqual(['too long']);
  });

  it.each([
    ['exactly as long as the limit', ['1234567890\n'], ['1234567890']],
    ['one byte longer', ['12345678901\nnext\n'], ['too long', 'next']],
    ['longer, in several chunks', ['12345', '67890', '1', '2\nnext\n'], ['too long', 'next']],
    ['two lines that are too long', ['12345678901\n12345678901\nnext\n'], ['too long', 'too long', 'next']],
    ['longer, as the last line', ['12345678901'], ['too long']],
  ])('reads a line up to the limit, and skips a longer one: %s', (_, chunks, lines) => {
    expect(read(chunks, 10)).toEqual(lines);
  });

  it('reports a line that is too long before its end', () => {
    let tooLong = 0;
    const reader = new LineReader(10, { line: () => undefined, tooLong: () => (tooLong += 1) });
    for (let each = 0; each < 100; each += 1) reader.push(Buffer.from('12345'));
    expect(tooLong).toBe(1);
  });
});
