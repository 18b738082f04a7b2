import { closeSync, openSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { LineMatch } from '../../src/search/scan-file.ts';
import { compilePattern } from '../../src/search/pattern.ts';
import { scanFile, type Scanned } from '../../src/search/scan-file.ts';
import { temporaryDirectory } from '../fixtures/temporary.ts';

interface Wanted {
  readonly pattern: string;
  readonly regex?: boolean;
  readonly word?: boolean;
  readonly caseSensitive?: boolean;
  readonly multiline?: boolean;
  readonly before?: number;
  readonly after?: number;
}

async function scan(
  content: string | Buffer,
  wanted: Wanted,
): Promise<{ readonly lines: LineMatch[]; readonly scanned: Scanned }> {
  const { before = 0, after = 0, multiline = false } = wanted;
  const file = path.join(await temporaryDirectory(), 'file');
  await writeFile(file, content);
  const descriptor = openSync(file, 'r');
  const lines: LineMatch[] = [];
  try {
    const scanned = scanFile(
      { descriptor, verifiedSize: () => statSync(file).size },
      {
        pattern: compilePattern({ regex: false, word: false, caseSensitive: true, multiline, ...wanted }),
        before,
        after,
        whole: multiline,
        isOver: () => false,
        onLine: (describe_) => lines.push(describe_()) > 0,
      },
    );
    return { lines, scanned };
  } finally {
    closeSync(descriptor);
  }
}

const KINDS: readonly (readonly [string, Partial<Wanted>])[] = [
  ['bytes', {}],
  ['a text', { caseSensitive: false }],
  ['lines with a required sequence', { regex: true, pattern: 'z?needle' }],
  ['each line', { regex: true, pattern: '(?=needle)needle' }],
];

describe.each(KINDS)('a scan of %s', (_, kind) => {
  it('reports line and column of each matching line', async () => {
    const { lines } = await scan('a\nüb needle needle\r\n\nneedle', { pattern: 'needle', ...kind });
    expect(lines).toEqual([
      { line: 2, column: 4, text: 'üb needle needle' },
      { line: 4, column: 1, text: 'needle' },
    ]);
  });

  it('shows the lines around a match', async () => {
    const { lines } = await scan('1\n2\n3 needle\n4\n5\n6 needle\n', { pattern: 'needle', before: 2, after: 2, ...kind });
    expect(lines).toMatchObject([
      { line: 3, before: ['1', '2'], after: ['4', '5'] },
      { line: 6, before: ['4', '5'], after: [] },
    ]);
  });

  it('finds all matches in a file of many windows and counts its lines', async () => {
    const content = Array.from({ length: 300_000 }, (__, number) =>
      number % 5000 === 4999 ? `needle ${number}` : `line ${number}`,
    );
    const { lines } = await scan(content.join('\n'), { pattern: 'needle', before: 2, after: 3, ...kind });
    expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 60 }, (__, index) => 5000 * (index + 1)));
    for (const { line, text, before = [], after = [] } of lines) {
      expect(text).toBe(`needle ${line - 1}`);
      expect(before).toEqual([`line ${line - 3}`, `line ${line - 2}`]);
      expect(after).toEqual([`line ${line}`, `line ${line + 1}`, `line ${line + 2}`].slice(0, 300_000 - line));
    }
  });

  it('cuts a long line around its match', async () => {
    const { lines } = await scan(`${'x'.repeat(2_000_000)}needle${'y'.repeat(3000)}`, { pattern: 'needle', ...kind });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.text).toMatch(/^…x{100}needley+…$/);
    expect(lines[0]?.text.length).toBeLessThan(510);
  });

  it('stops at a binary file', async () => {
    const { lines, scanned } = await scan('needle\0', { pattern: 'needle', ...kind });
    expect([lines, scanned]).toEqual([[], 'binary']);
  });

  it('finds nothing in an empty file', async () => {
    expect((await scan('', { pattern: 'needle', ...kind })).lines).toEqual([]);
  });
});

describe('a pattern', () => {
  it.each<[string, string, Wanted, readonly number[]]>([
    ['a word', 'needles\nneedle\n_needle\nüneedle\n(needle)', { pattern: 'needle', word: true }, [2, 5]],
    ['a word in any letter case', 'Needles\nNEEDLE\nüneedle', { pattern: 'needle', word: true, caseSensitive: false }, [2]],
    ['a word by expression', 'needles\nneedle', { pattern: 'ne+dle', regex: true, word: true }, [2]],
    ['characters that are special in a regular expression', 'a+b\naab', { pattern: 'a+b', caseSensitive: false }, [1]],
    ['the beginning and the end of lines', 'ab\nxab\nabx\nab', { pattern: '^ab$', regex: true }, [1, 4]],
    ['empty lines', 'a\n\nb\n', { pattern: '^$', regex: true }, [2]],
    ['the end of the last line', 'a\nb', { pattern: '$', regex: true }, [1, 2]],
    ['no match across a line break', 'a\nb', { pattern: 'a\\sb', regex: true }, []],
    ['matches across line breaks, if multiline is set', 'x\na\nb\n', { pattern: 'a.b', regex: true, multiline: true }, [2]],
    ['whole characters', '😀', { pattern: '^.$', regex: true }, [1]],
    ['an expression that only the older syntax allows', 'a-b', { pattern: 'a\\-b', regex: true }, [1]],
  ])('finds %s', async (_, content, wanted, expected) => {
    expect((await scan(content, wanted)).lines.map(({ line }) => line)).toEqual(expected);
  });
});
