import { describe, expect, it } from 'vitest';

import { readWindow, type LineRange } from '../../src/text/window.ts';

const whole: LineRange = { from: 'start', offset: 0, limit: undefined };

function from(offset: number, limit?: number): LineRange {
  return { from: 'start', offset, limit };
}

function last(limit: number): LineRange {
  return { from: 'end', limit };
}

async function window(content: string | Buffer, range: LineRange, maxBytes = 1_000_000): Promise<object> {
  const bytes = Buffer.from(content);
  const readAt = (position: number, length: number): Promise<Buffer> =>
    Promise.resolve(bytes.subarray(position, position + length));
  const { bytes: shown, ...facts } = await readWindow({ readAt, size: bytes.length }, range, {
    maxBytes,
    signal: new AbortController().signal,
  });
  return { text: shown.toString(), ...facts };
}

const complete = { cut: false, truncated: false, nextOffset: undefined };

describe('a window from the start', () => {
  it.each([
    ['an empty file', '', whole, { text: '', startLine: 1, lines: 0, ...complete }],
    ['a line without newline', 'a', whole, { text: 'a', startLine: 1, lines: 1, ...complete }],
    ['whole lines', 'a\nb\n', whole, { text: 'a\nb\n', startLine: 1, lines: 2, ...complete }],
    ['CRLF lines as they are', 'a\r\nb\r\n', from(1), { text: 'b\r\n', startLine: 2, lines: 1, ...complete }],
    ['lines after an offset', 'a\nb\nc', from(1), { text: 'b\nc', startLine: 2, lines: 2, ...complete }],
    [
      'a limit with more behind it',
      'a\nb\nc',
      from(0, 2),
      { text: 'a\nb\n', startLine: 1, lines: 2, cut: false, truncated: true, nextOffset: 2 },
    ],
    ['a limit that ends the file', 'a\nb\n', from(0, 2), { text: 'a\nb\n', startLine: 1, lines: 2, ...complete }],
    [
      'an offset and a limit',
      'a\nb\nc\nd\n',
      from(1, 2),
      { text: 'b\nc\n', startLine: 2, lines: 2, cut: false, truncated: true, nextOffset: 3 },
    ],
    ['an offset behind the end', 'a\nb\n', from(7), { text: '', startLine: 3, lines: 0, ...complete }],
    ['empty lines', '\n\n\n', from(1, 1), { text: '\n', startLine: 2, lines: 1, cut: false, truncated: true, nextOffset: 2 }],
  ])('shows %s', async (_, content, range, expected) => {
    expect(await window(content, range)).toEqual(expected);
  });

  it('is cut at a line end by the budget', async () => {
    expect(await window('aaaa\nbbbb\ncccc\n', whole, 12)).toEqual({
      text: 'aaaa\nbbbb\n',
      startLine: 1,
      lines: 2,
      cut: false,
      truncated: true,
      nextOffset: 2,
    });
  });

  it('is cut within a line longer than the budget, before a character that would be halved', async () => {
    expect(await window('äöü\n', whole, 3)).toMatchObject({ text: 'ä', truncated: true, cut: true });
  });

  it('goes on at nextOffset without losing or repeating a line, over chunk borders', async () => {
    const lines = Array.from({ length: 5000 }, (_, number) => `${number} ${'x'.repeat(number % 97)}\n`);
    const file = Buffer.from(lines.join(''));
    const read = (position: number, length: number): Promise<Buffer> =>
      Promise.resolve(file.subarray(position, position + length));
    let text = '';
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const part = await readWindow({ readAt: read, size: file.length }, from(offset), {
        maxBytes: 10_000,
        signal: new AbortController().signal,
      });
      text += part.bytes.toString();
      offset = part.nextOffset;
    }
    expect(text).toBe(lines.join(''));
  });

  it('stops at an aborted signal', async () => {
    const endless = (): Promise<Buffer> => Promise.resolve(Buffer.alloc(65_536, 'x'));
    const controller = new AbortController();
    controller.abort(new Error('stop'));
    await expect(
      readWindow({ readAt: endless, size: 1e12 }, from(1), { maxBytes: 1000, signal: controller.signal }),
    ).rejects.toThrow('stop');
  });
});

describe('a window from the end', () => {
  it.each([
    ['an empty file', '', last(2), { text: '', lines: 0, truncated: false }],
    ['fewer lines than asked for', 'a\nb\n', last(5), { text: 'a\nb\n', lines: 2, truncated: false }],
    ['the last lines', 'a\nb\nc\n', last(2), { text: 'b\nc\n', lines: 2, truncated: true }],
    ['a last line without newline', 'a\nb\nc', last(1), { text: 'c', lines: 1, truncated: true }],
    ['an empty last line', 'a\n\n', last(1), { text: '\n', lines: 1, truncated: true }],
    [
      'lines over chunk borders',
      `${'x'.repeat(70_000)}\nb\n`,
      last(2),
      { text: `${'x'.repeat(70_000)}\nb\n`, lines: 2, truncated: false },
    ],
  ])('shows %s', async (_, content, range, expected) => {
    expect(await window(content, range)).toMatchObject(expected);
  });

  it('leaves out a line that the budget cuts', async () => {
    expect(await window('aaaa\nbbbb\ncccc\n', last(3), 12)).toMatchObject({
      text: 'bbbb\ncccc\n',
      lines: 2,
      truncated: true,
      cut: false,
    });
  });

  it('begins with a whole character where one line is longer than the budget', async () => {
    expect(await window('äöü', last(1), 3)).toMatchObject({ text: 'ü', truncated: true, cut: true });
  });
});
