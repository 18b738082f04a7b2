import { describe, expect, it } from 'vitest';

import { nearest } from '../src/nearest.ts';

describe('the nearest name', () => {
  it.each([
    ['is the one that differs least', 'reamde', ['readme', 'remade', 'x'], 'readme'],
    ['may differ in a third of the letters', 'mian', ['main'], 'main'],
    ['is none where more differ', 'abc', ['xyz'], undefined],
    ['is none where nothing is known', 'abc', [], undefined],
    ['is none for a name that is too long to compare', 'a'.repeat(65), ['a'.repeat(64)], undefined],
  ])('%s', (_, unknown, known, expected) => {
    expect(nearest(unknown, known)).toBe(expected);
  });
});
