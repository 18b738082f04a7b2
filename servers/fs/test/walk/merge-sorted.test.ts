import { describe, expect, it } from 'vitest';

import { mergeSorted } from '../../src/walk/merge-sorted.ts';

describe('sorted lists', () => {
  it.each([
    ['none', []],
    ['one', [[1, 2, 3]]],
    [
      'two',
      [
        [1, 4],
        [2, 3],
      ],
    ],
    ['an empty one', [[], [1, 2], []]],
    ['many', [[5], [1, 9], [2], [3, 4, 8], [0, 7, 6 + 4]]],
  ])('are joined in order: %s', (_, lists: readonly (readonly number[])[]) => {
    const merged = [...mergeSorted(lists, (one, other) => one < other)];
    expect(merged).toEqual(lists.flat().toSorted((one, other) => one - other));
  });
});
