import { describe, expect, it } from 'vitest';

import { confineToLine } from '../../src/search/pattern.ts';
import { requiredTexts } from '../../src/search/required-texts.ts';

const TEXT = 'one two\nthree\tfour 4\n\nfive "six\nseven" eight\r\n\\d [x] end';

describe('a regular expression confined to lines', () => {
  it.each([
    '\\w+\\s\\w+',
    'o\\s*t',
    '[^a]+e',
    '"[^"]*"',
    '\\D+',
    '\\W',
    '^$',
    'e$',
    '^[a-z]+',
    '(?:e|n)[\\w ]+',
    '\\\\d',
    '[\\]x[]+',
    'x{2}|e.',
  ])('finds in a whole text the matches of %s in its lines', (source) => {
    const confined = confineToLine(source);
    expect(confined).toBeDefined();
    const whole = [...TEXT.matchAll(new RegExp(confined ?? '', 'gm'))].map(([match]) => match).filter((match) => match !== '');
    const each = TEXT.split(/\r?\n/).flatMap((line) =>
      [...line.matchAll(new RegExp(source, 'gm'))].map(([match]) => match).filter((match) => match !== ''),
    );
    expect(whole).toEqual(each);
  });

  it.each(['a(?=b)', '(?<!a)b', '[\\s\\S]+', '\\P{L}', 'a\\nb', '[\n]', '\\x0a', '(?<n>a)\\k<n>[\\W]'])(
    'is not derived from %s, so that each line is matched separately',
    (source) => expect(confineToLine(source)).toBeUndefined(),
  );
});

describe('the required texts of a regular expression', () => {
  it.each([
    ['needle_\\w+', ['needle_']],
    ['\\w+_in_\\w+', ['_in_']],
    ['colou?r', ['colo']],
    ['ab+cd', ['ab', 'cd']],
    ['TODO|FIXME', ['TODO', 'FIXME']],
    ['(?:foo|bar)baz', ['baz']],
    ['x[|]yz', ['yz']],
    ['a\\.b\\(', ['a.b(']],
    ['\\u0041bc', ['bc']],
    ['\\p{Lu}bc', ['bc']],
  ])('are found for %s', (source, expected) => {
    const required = requiredTexts(source);
    for (const text of required ?? []) expect(expected).toContain(text);
    expect(required).toHaveLength(source.includes('|') && !source.includes('[') && !source.includes('(') ? 2 : 1);
  });

  it.each(['\\w+', 'a|bc', '(abc)?', 'a{2}', 'x*y', '[abc]+'])('are not found for %s', (source) => {
    expect(requiredTexts(source)).toBeUndefined();
  });
});
