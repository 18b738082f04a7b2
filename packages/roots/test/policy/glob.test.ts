import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';

import { compileGlob, GlobError } from '../../src/index.ts';

describe('a glob', () => {
  it.each([
    ['*', 'a', true],
    ['*', '.a', true],
    ['*', 'a/b', false],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]a]', ']', true],
    ['[a', '[a', true],
    ['{a,b{c,d}}.ts', 'bd.ts', true],
    ['{a,b{c,d}}.ts', 'b.ts', false],
    ['{a}', '{a}', true],
    ['{a', '{a', true],
    ['a{,b}', 'a', true],
    ['**', 'a/b/c', true],
    ['**/c', 'c', true],
    ['a/**/c', 'a/c', true],
    ['a/**/c', 'a/x/y/c', true],
    ['a/**', 'a/b', true],
    [String.raw`\*`, '*', true],
    [String.raw`\*`, 'a', false],
    ['(a)+b', '(a)+b', true],
    ['a.b', 'axb', false],
    ['?', '😀', true],
    ['Ä*', 'Äpfel', true],
  ])('%s matches %s: %s', (pattern, name, expected) => {
    expect(compileGlob(pattern)(name)).toBe(expected);
  });

  it('agrees with picomatch on their common syntax', () => {
    const parts = ['a', 'b', '*', '?', '/', '**/', '[ab]', '{a,b}', '.', '*.b'];
    const names = ['a', 'b', 'ab', 'a.b', 'a/b', 'a/b/a', 'b/a.b', '.a', 'aa/bb/ab', 'a/.b/b', 'bab'];
    const random = sequence(7);
    const differences: string[] = [];
    for (let round = 0; round < 4000; round += 1) {
      const pattern = Array.from({ length: 1 + (random() % 5) }, () => parts[random() % parts.length]).join('');
      // Patterns that picomatch interprets differently are skipped: a double star that is only part of a segment, a star beside
      // `?`, empty segments, and a dot as a whole segment.
      if (/\*\*\*|[^/]\*\*|\*\*[^/]|\/\/|^\/|\/$|\*\?|\?\*|(^|\/)\.(\/|$)/.test(pattern)) continue;
      const theirs = picomatch(pattern, { dot: true });
      const ours = compileGlob(pattern);
      for (const name of names) if (ours(name) !== theirs(name)) differences.push(`${pattern} ${name}: ${ours(name)}`);
    }
    expect(differences).toEqual([]);
  });
});

describe('a glob bomb', () => {
  it.each([
    ['nested repetition', '(a+)+b', 40],
    ['stars between letters', '*a*a*a*a*a*a*b', 250],
    ['alternatives that overlap', '(a|aa)+b', 250],
    ['optional groups', `${'?(a)'.repeat(100)}b`, 250],
    ['stars and single characters', `${'*?'.repeat(100)}b`, 250],
    ['double stars in names', `${'**a'.repeat(30)}b`, 250],
  ])('is processed in time proportional to its length: %s', (_, pattern, length) => {
    const matches = compileGlob(pattern);
    for (let round = 0; round < 100; round += 1) expect(matches('a'.repeat(length))).toBe(false);
  });

  it('is fast on long directory paths', () => {
    const matches = compileGlob(`${'**/a/'.repeat(50)}b`);
    expect(matches('a/'.repeat(2000))).toBe(false);
  });

  it.each([['{a,b}'.repeat(7)], [`{${'a,'.repeat(64)}b}`]])('is rejected if it has too many alternatives: %s', (pattern) => {
    expect(() => compileGlob(pattern)).toThrow(GlobError);
  });

  it.each(['{}', '{a,b}', '{a,', '{'])('is rejected with the limit in the message if its braces expand too far: %s', (part) => {
    const closing = part.endsWith(',') ? '}' : '';
    expect(() => compileGlob(part.repeat(100_000) + closing.repeat(100_000))).toThrow(
      new GlobError('it contains more than 256 opening braces'),
    );
    expect(() => compileGlob('{}'.repeat(256))).not.toThrow();
  });
});

/** Returns a generator of pseudo-random numbers that are the same in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 8;
  };
}
