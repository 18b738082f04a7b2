import { describe, expect, it } from 'vitest';

import { LineReader } from '../../src/stdio/line-reader.ts';

/** What a reader makes of chunks: its lines, and `too long` for each that it skips. */
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
    ['the end of one line and the beginning of the next', ['a', 'b\nc', 'd\n'], ['ab', 'cd']],
    ['a line that ends in a chunk of its own', ['a', '\n'], ['a']],
    ['a last line without an end', ['a\nb'], ['a', 'b']],
    ['no line for nothing', [''], []],
    ['no line between two ends', ['a\n\n\nb\n'], ['a', 'b']],
    ['a carriage return as part of the line, which JSON skips', ['a\r\nb\r\n'], ['a\r', 'b\r']],
    ['no byte order mark at the beginning', ['\uFEFFa\nb\n'], ['a', 'b']],
    ['a byte order mark elsewhere', ['a\n\uFEFFb\n'], ['a', '\uFEFFb']],
  ])('sees %s', (_, chunks, lines) => {
    expect(read(chunks)).toEqual(lines);
  });

  it('sees characters whole, wherever a chunk ends', () => {
    const bytes = Buffer.from('aé€😀z\n');
    const cuts = Array.from({ length: bytes.length }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
    for (const chunks of [...cuts, [...bytes].map((byte) => Buffer.from([byte]))]) expect(read(chunks)).toEqual(['aé€😀z']);
  });

  it.each([
    ['a byte that begins nothing', [0x61, 0xff, 0x62], 'a\uFFFDb'],
    ['a character that is cut off', [0x61, 0xe2, 0x82], 'a\uFFFD'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\uFFFD\uFFFD\uFFFD'],
  ])('replaces what is not UTF-8: %s', (_, bytes, line) => {
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
    ['as long as it may be', ['1234567890\n'], ['1234567890']],
    ['longer by one', ['12345678901\nnext\n'], ['too long', 'next']],
    ['longer in pieces', ['12345', '67890', '1', '2\nnext\n'], ['too long', 'next']],
    ['longer twice', ['12345678901\n12345678901\nnext\n'], ['too long', 'too long', 'next']],
    ['longer, and the last', ['12345678901'], ['too long']],
  ])('skips a line that is too long once, and goes on: %s', (_, chunks, lines) => {
    expect(read(chunks, 10)).toEqual(lines);
  });

  it('says that a line is too long before it has ended', () => {
    let tooLong = 0;
    const reader = new LineReader(10, { line: () => undefined, tooLong: () => (tooLong += 1) });
    for (let each = 0; each < 100; each += 1) reader.push(Buffer.from('12345'));
    expect(tooLong).toBe(1);
  });
});
