import { describe, expect, it } from 'vitest';

import { blockingTree } from '../../src/activity/blocking-tree.ts';

describe('the tree of who blocks whom', () => {
  it.each([
    [
      'chain',
      [
        ['3', '2'],
        ['2', '1'],
        ['1', ''],
      ],
      ['0 1', '1 2', '2 3'],
    ],
    [
      'session that two block',
      [
        ['1', ''],
        ['2', ''],
        ['3', '1 2'],
      ],
      ['0 1', '1 3', '0 2'],
    ],
    [
      'deadlock',
      [
        ['1', '2'],
        ['2', '1'],
      ],
      ['0 1', '1 2'],
    ],
    [
      'prepared transaction',
      [
        ['0', ''],
        ['5', '0'],
      ],
      ['0 0', '1 5'],
    ],
  ])('has every session of a %s once', (_, sessions, tree) => {
    const rows = sessions.map(([pid = '', blockers = '']) => [null, pid, blockers === '' ? null : blockers]);
    expect(blockingTree(rows).map(([depth, pid]) => `${depth ?? ''} ${pid ?? ''}`)).toEqual(tree);
  });
});
