import { describe, expect, it } from 'vitest';

import { BlameReader } from '../../../src/repository/parse/blame.ts';

const ONE = '1'.repeat(40);
const TWO = '2'.repeat(40);

const OUTPUT = [
  `${TWO} 3 3 1`,
  'author Änn',
  'author-time 1767225600',
  `summary ${ONE} 1 1 1`,
  'boundary',
  'filename new.txt',
  `${ONE} 1 1 2`,
  'author Bob',
  'author-time 0',
  'summary First',
  String.raw`filename "old\tn\303\244me.txt"`,
  `${TWO} 9 4 1`,
  'filename new.txt',
  '',
].join('\n');

describe('a blame', () => {
  it.each([1, 7, 1000])('is parsed in chunks of %d bytes', (size) => {
    const reader = new BlameReader();
    const bytes = Buffer.from(OUTPUT);
    for (let start = 0; start < bytes.length; start += size) reader.feed(bytes.subarray(start, start + size));
    expect(reader.lines).toBe(4);
    const second = {
      oid: TWO,
      author: 'Änn',
      date: '2026-01-01T00:00:00.000Z',
      summary: `${ONE} 1 1 1`,
      original_path: 'new.txt',
    };
    expect(reader.hunks).toEqual([
      {
        oid: ONE,
        start_line: 1,
        lines: 2,
        author: 'Bob',
        date: '1970-01-01T00:00:00.000Z',
        summary: 'First',
        original_path: 'old\tnäme.txt',
      },
      { ...second, start_line: 3, lines: 1 },
      { ...second, start_line: 4, lines: 1 },
    ]);
  });
});
