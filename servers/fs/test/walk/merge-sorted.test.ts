import { describe, expect, it } from 'vitest';

import { mergeSorted } from '../../src/walk/read-entries.ts';

describe('mergeSorted', () => {
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
  ])('merges the lists in order: %s', (_, lists: readonly (readonly number[])[]) => {
    const merged = [...mergeSorted(lists, (one, other) => one < other)];
    expect(merged).toEqual(lists.flat().toSorted((one, other) => one - other));
  });
});
