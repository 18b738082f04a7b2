import { describe, expect, it } from 'vitest';

import { GrepReader, type GrepLine } from '../../../src/repository/parse/grep.ts';

function read(output: string, size: number): readonly GrepLine[] {
  const lines: GrepLine[] = [];
  const reader = new GrepReader((line) => lines.push(line));
  const bytes = Buffer.from(output);
  for (let start = 0; start < bytes.length; start += size) reader.feed(bytes.subarray(start, start + size));
  return lines;
}

describe('the grep reader', () => {
  it.each([1, 5, 1000])('parses records with any paths and texts in chunks of %d bytes', (size) => {
    expect(read('a\u00001\u00002\0x:y\0z\nb\u00002\0plain\n--\nnew\nline\u00007\u00001\0--\n', size)).toEqual([
      { path: 'a', line: 1, column: 2, text: 'x:y\0z' },
      { path: 'b', line: 2, column: undefined, text: 'plain' },
      { path: 'new\nline', line: 7, column: 1, text: '--' },
    ]);
  });

  it('truncates an endless line and continues after it', () => {
    const [endless, next] = read(`a\u00001\u00001\0${'x'.repeat(1_000_000)}\nb\u00002\u00001\0y\n`, 4096);
    expect(endless).toMatchObject({ path: 'a', line: 1 });
    expect(endless?.text.length).toBeLessThan(100_000);
    expect(next).toEqual({ path: 'b', line: 2, column: 1, text: 'y' });
  });
});
