import { describe, expect, it } from 'vitest';

import { TopK } from '../../src/walk/top-k.ts';

describe('TopK', () => {
  it.each([
    ['fewer than are wanted', 9],
    ['as many as are wanted', 5],
    ['fewer than there are', 3],
    ['one', 1],
  ])('keeps %s in order and reports the dropped items', (_, wanted) => {
    const dropped: number[] = [];
    const foremost = new TopK<number>(
      wanted,
      (one, other) => one - other,
      (item) => dropped.push(item),
    );
    for (const item of [4, 1, 5, 2, 3]) foremost.add(item);
    expect(foremost.sorted()).toEqual([1, 2, 3, 4, 5].slice(0, wanted));
    expect(dropped.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5].slice(wanted));
  });
});
