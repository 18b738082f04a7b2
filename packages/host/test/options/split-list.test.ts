import { describe, expect, it } from 'vitest';

import { splitList } from '../../src/options/split-list.ts';

describe('a list', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a,b,c', ['a', 'b', 'c']],
    [',a,,b,', ['a', 'b']],
    ['a b, c', ['a b', ' c']],
    ['*.{js,ts}', ['*.{js,ts}']],
    ['a,*.{js,ts},b', ['a', '*.{js,ts}', 'b']],
    ['{a,b},{c,d}', ['{a,b}', '{c,d}']],
    ['{a,{b,c},d},e', ['{a,{b,c},d}', 'e']],
    ['{a,{b,c}},{d,e}', ['{a,{b,c}}', '{d,e}']],
    ['a},b', ['a}', 'b']],
  ])('is split at commas outside braces: %j', (text, parts) => {
    expect(splitList(text)).toEqual(parts);
  });
});
