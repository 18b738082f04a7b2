import { describe, expect, it } from 'vitest';

import { findNearestName } from '../../src/text/nearest-name.ts';

describe('the nearest name', () => {
  it.each([
    ['is the one that differs least', 'reamde', ['readme', 'remade', 'x'], 'readme'],
    ['may differ in a third of the letters', 'mian', ['main'], 'main'],
    ['is undefined if more letters differ', 'abc', ['xyz'], undefined],
    ['is undefined without known names', 'abc', [], undefined],
    ['is undefined for a name that is too long to compare', 'a'.repeat(65), ['a'.repeat(64)], undefined],
  ])('%s', (_, unknown, known, expected) => {
    expect(findNearestName(unknown, known)).toBe(expected);
  });
});
