import { describe, expect, it } from 'vitest';

import { readText } from '../../src/text/read-text.ts';
import { readWindow } from '../../src/text/read-window.ts';
import type { Source } from '../../src/text/read-chunks.ts';
import type { LineRange, WindowOptions } from '../../src/text/read-window.ts';

const whole: LineRange = { from: 'start', offset: 0, limit: undefined };

function from(offset: number, limit?: number): LineRange {
  return { from: 'start', offset, limit };
}

function last(limit: number): LineRange {
  return { from: 'end', limit };
}

/** Creates a source with this content. */
function sourceOf(content: string | Buffer): Source {
  const bytes = Buffer.from(content);
  return {
    size: bytes.length,
    readInto: (buffer, position) => Promise.resolve(position < bytes.length ? bytes.copy(buffer, 0, position) : 0),
  };
}

async function window(
  content: string | Buffer,
  range: LineRange,
  maxBytes = 1_000_000,
  options: Partial<WindowOptions> = {},
): Promise<object> {
  const { signal } = new AbortController();
  const {
    bytes,
    position: _,
    totalLines: __,
    cutLines,
    ...facts
  } = await readWindow(sourceOf(content), range, { maxBytes, signal, ...options });
  return { text: bytes.toString(), ...facts, ...(cutLines > 0 && { cutLines }) };
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

  it('is cut at a line ending by its byte limit', async () => {
    expect(await window('aaaa\nbbbb\ncccc\n', whole, 12)).toEqual({
      text: 'aaaa\nbbbb\n',
      startLine: 1,
      lines: 2,
      cut: false,
      truncated: true,
      nextOffset: 2,
    });
  });

  it('is cut inside a line longer than the limit, but not inside a character', async () => {
    expect(await window('äöü\n', whole, 3)).toMatchObject({ text: 'ä', truncated: true, cut: true });
  });

  it('continues at nextOffset without losing or repeating a line, across chunks', async () => {
    const lines = Array.from({ length: 5000 }, (_, number) => `${number} ${'x'.repeat(number % 97)}\n`);
    const file = Buffer.from(lines.join(''));
    let text = '';
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const part = await readWindow(sourceOf(file), from(offset), {
        maxBytes: 10_000,
        signal: new AbortController().signal,
      });
      text += part.bytes.toString();
      offset = part.nextOffset;
    }
    expect(text).toBe(lines.join(''));
  });

  it('stops at an aborted signal', async () => {
    const endless: Source = { size: 1e12, readInto: (buffer) => Promise.resolve(buffer.fill('x').length) };
    const controller = new AbortController();
    controller.abort(new Error('stop'));
    await expect(readWindow(endless, from(1), { maxBytes: 1000, signal: controller.signal })).rejects.toThrow('stop');
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

  it('omits a line that the byte limit cuts', async () => {
    expect(await window('aaaa\nbbbb\ncccc\n', last(3), 12)).toMatchObject({
      text: 'bbbb\ncccc\n',
      lines: 2,
      truncated: true,
      cut: false,
    });
  });

  it('begins with a whole character if one line is longer than the limit', async () => {
    expect(await window('äöü', last(1), 3)).toMatchObject({ text: 'ü', truncated: true, cut: true });
  });
});

describe('a line longer than maxLineBytes', () => {
  const long = { maxLineBytes: 16 };
  const x = 'x'.repeat(200_000);
  it.each([
    [
      'is cut and marked, and the lines around it are not',
      `a\n${x}\nb\n`,
      whole,
      { text: `a\n${x.slice(0, 16)} ... [line cut]\nb\n`, lines: 3, cutLines: 1, truncated: false },
    ],
    [
      'is whole if it is just as long',
      `${'x'.repeat(16)}\nb\n`,
      whole,
      { text: `${'x'.repeat(16)}\nb\n`, lines: 2, truncated: false },
    ],
    [
      'is cut before a character that would be halved',
      `${'x'.repeat(15)}äb\n`,
      whole,
      { text: `${'x'.repeat(15)} ... [line cut]\n`, cutLines: 1 },
    ],
    [
      'is not read to its end if no other is wanted',
      `${x}\nb\n`,
      from(0, 1),
      { text: `${x.slice(0, 16)} ... [line cut]\n`, truncated: true, nextOffset: 1 },
    ],
    ['may be the last, without newline', `a\n${x}`, whole, { lines: 2, cutLines: 1, truncated: false, nextOffset: undefined }],
    ['counts as one when reading on behind it', `${x}\nb\nc`, from(1), { text: 'b\nc', startLine: 2, lines: 2 }],
    [
      'is cut among the last lines',
      `a\n${x}\nb\n`,
      last(2),
      { text: `${x.slice(0, 16)} ... [line cut]\nb\n`, lines: 2, cutLines: 1 },
    ],
  ] as const)('%s', async (_, content, range, expected) => {
    expect(await window(content, range, 1_000_000, long)).toMatchObject(expected);
  });

  it('shows the end of the last line if it is longer than the limit', async () => {
    expect(await window(`a\n${x}äb`, last(1), 1000, long)).toMatchObject({ text: `${'x'.repeat(12)}äb`, cut: true });
  });

  it('is cut at the same place for every chunk size', async () => {
    const lines = Array.from({ length: 20_000 }, (_, number) => `${number} ${'ä'.repeat(number % 37)}\n`);
    const shown = lines.map((line) => (Buffer.byteLength(line) <= 17 ? line : cutTo(line, 16)));
    expect(await window(lines.join(''), whole, 10_000_000, long)).toMatchObject({ text: shown.join('') });
  });

  it('does not block the reader if it continues into a hole', async () => {
    const hole: Source = {
      size: 1e15,
      readInto: (buffer, position) => Promise.resolve(buffer.fill(position < 65_536 ? 'x' : 0).length),
    };
    const { signal } = new AbortController();
    const { lines, truncated } = await readWindow(hole, from(0, 5), { maxBytes: 1000, maxLineBytes: 16, signal });
    expect([lines, truncated]).toEqual([1, true]);
  });
});

function cutTo(line: string, bytes: number): string {
  let text = line;
  while (Buffer.byteLength(text) > bytes) text = text.slice(0, -1);
  return `${text} ... [line cut]\n`;
}

describe.each(['utf-16le', 'utf-16be'] as const)('a window of %s', (encoding) => {
  // Each line contains characters whose first or second byte is the byte of a newline.
  const lines = Array.from({ length: 3000 }, (_, number) => `${number} Ċ਀਍🌍\n`);
  const bytes = wide(lines.join(''));

  function wide(text: string): Buffer {
    const little = Buffer.from(text, 'utf16le');
    return encoding === 'utf-16le' ? little : little.swap16();
  }

  it.each([
    ['the first lines', from(0, 2), [0, 2]],
    ['lines in the middle', from(1000, 7), [1000, 1007]],
    ['the last lines', last(2500), [500, 3000]],
  ] as const)('has %s', async (_, range, [start, end]) => {
    const { signal } = new AbortController();
    const read = await readWindow(sourceOf(bytes), range, { maxBytes: 1_000_000, encoding, signal });
    expect(read.bytes).toEqual(wide(lines.slice(start, end).join('')));
  });

  it('is cut at the end of a line', async () => {
    const { signal } = new AbortController();
    const read = await readWindow(sourceOf(bytes), whole, { maxBytes: 1001, encoding, signal });
    expect(read.bytes).toEqual(bytes.subarray(0, read.bytes.length));
    expect(read.bytes.subarray(-2)).toEqual(wide('\n'));
    const end = await readWindow(sourceOf(bytes), last(5000), { maxBytes: 1001, encoding, signal });
    expect(wide(lines.slice(-end.lines).join(''))).toEqual(end.bytes);
  });
});

describe('the lines of a text', () => {
  it.each([
    ['the whole', 'a\nb', whole, 2],
    ['a text that was read to its end', 'a\nb\nc\n', from(2, 1), 3],
    ['a part', 'a\nb\nc\n', from(1, 1), undefined],
    ['the last, of a text that was read whole', 'a\nb\nc\n', last(1), 3],
  ] as const)('are counted if no further read is needed: %s', async (_, content, range, total) => {
    const { signal } = new AbortController();
    expect((await readWindow(sourceOf(content), range, { maxBytes: 1000, signal })).totalLines).toBe(total);
  });
});

describe('a file that reports size 0', () => {
  it.each([1, 5000])('is read to its end: %i lines', async (count) => {
    const lines = 'ä line\n'.repeat(count);
    const source: Source = { size: 0, readInto: (buffer, position) => sourceOf(lines).readInto(buffer, position) };
    const { signal } = new AbortController();
    const { text, totalLines } = await readText(source, {
      given: 'x',
      range: whole,
      encoding: 'auto',
      maxBytes: 1_000_000,
      signal,
    });
    expect([text, totalLines]).toEqual([lines, count]);
  });
});
