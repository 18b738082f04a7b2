import { describe, expect, it } from 'vitest';

import { compilePattern } from '../../src/search/pattern.ts';
import { RequiredSequence } from '../../src/search/required-sequence.ts';

describe('the required sequence of a regular expression', () => {
  it.each([
    [String.raw`[a-z]+\(\d+\)`, 'f(x) f(1)', 'f(x) f'],
    [String.raw`\w+_in_\w+`, 'a_i b_in_c', 'a_i b'],
    [String.raw`\d+ab+c`, 'aac 1abbc', 'aac 1'],
    [String.raw`(?:x|y)=\d`, 'x=a y=1', 'x=a y'],
    [String.raw`\s*k{2}[lm]`, 'k kkm', 'k k'],
    [String.raw`x?y\p{Lu}`, 'ya yÄ', 'ya '],
  ])('of %s is found in %j after %j', (source, text, before) => {
    expect(RequiredSequence.of(source, 'gmu')?.find(text, 0)).toBe(before.length);
  });

  it.each([
    ['begins with a certain character', String.raw`\(\d+\)`],
    ['has alternatives', String.raw`\w+ab|\w+cd`],
    ['has no two characters in sequence', String.raw`\w+a*\d?b`],
    ['requires only a group', String.raw`\w+(?:ab)`],
    ['has only zero-width assertions after a character', String.raw`\w+a\b`],
  ])('is unknown for one that %s: %s', (_, source) => {
    expect(RequiredSequence.of(source, 'gmu')).toBeUndefined();
  });

  it('stops being rare in texts that consist of it, so that the expression is then searched alone', () => {
    const sequence = RequiredSequence.of(String.raw`\w+\(\d`, 'gmu');
    const text = 'f(1) '.repeat(1000);
    for (let from: number | undefined = 0; from !== undefined; from = sequence?.find(text, from + 1)) continue;
    expect(sequence?.isRare).toBe(false);
  });
});

const TEXTS = [
  'f(1)\ngetValue(22) x(3)\r\n  a_in_b\n\n(4)\n',
  'x=1\nkey = value(7)',
  '(9)\n\nvalue(8)\n',
  `${'f(x)\n'.repeat(40)}last(1)`,
  'ä(1)\n\u2028b(2)\n\r\nc(3)\r',
];

describe('lines with a required sequence', () => {
  it.each([
    String.raw`[a-z]+\(\d+\)`,
    String.raw`^[a-z]+\(\d+\)$`,
    String.raw`\w*\(\d`,
    String.raw`.\(\d.$`,
    String.raw`\w+_in_\w+`,
    String.raw`[a-z]+\s=\s`,
    String.raw`\b[a-z]+\(\d\)(?!.)`,
    String.raw`(?<!x)[a-z]\(\d\)`,
  ])('contain the same matches of %s as the whole text', (source) => {
    const query = { pattern: source, regex: true, caseSensitive: true, multiline: false };
    for (const word of [false, true]) {
      for (const text of TEXTS) {
        const bytes = Buffer.from(text);
        const expression = word ? String.raw`(?<![\p{L}\p{N}_])(?:${source})(?![\p{L}\p{N}_])` : source;
        const expected = text.split('\n').flatMap((line, index) => {
          const match = new RegExp(expression, 'mu').exec(line.replace(/\r$/, ''));
          return match === null ? [] : [`${index}: ${match[0]}`];
        });
        expect(matchesOf(compilePattern({ ...query, word }), bytes)).toEqual(expected);
      }
    }
  });

  it('are not searched after the end of a part of the file, which is searched again with the next part', () => {
    const bytes = Buffer.from('ab\nxy(1)\nz(2)\n');
    const pattern = compilePattern({
      pattern: String.raw`[a-z]+\(\d`,
      regex: true,
      caseSensitive: true,
      word: false,
      multiline: false,
    });
    const find = (until: number): unknown => pattern.view(bytes, 0, until).find(0);
    expect([find(3), find(9)]).toEqual([undefined, { start: 3, end: 7 }]);
    expect(pattern.view(bytes, 0, 9).find(9)).toBeUndefined();
    expect(pattern.view(bytes, 9, bytes.length).find(9)).toEqual({ start: 9, end: 12 });
  });

  it('do not match across a carriage return in a line, as the whole text does not', () => {
    const bytes = Buffer.from('a\rb(1)\n');
    const pattern = compilePattern({
      pattern: String.raw`[^x]+\(\d`,
      regex: true,
      caseSensitive: true,
      word: false,
      multiline: false,
    });
    expect(matchesOf(pattern, bytes)).toEqual(['0: b(1']);
  });
});

/** Returns the first match of each line, each as `INDEX: TEXT` with the index of the line. */
function matchesOf(pattern: ReturnType<typeof compilePattern>, bytes: Buffer): readonly string[] {
  const found: string[] = [];
  const text = pattern.view(bytes, 0, bytes.length);
  for (let span = text.find(0); span !== undefined; span = text.find(text.lineEnd(span.start) + 1))
    found.push(`${text.breaks(0, span.start)}: ${text.text(span.start, span.end)}`);
  return found;
}
