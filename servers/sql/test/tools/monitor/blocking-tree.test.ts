import { describe, expect, it } from 'vitest';

import { buildBlockingTree } from '../../../src/postgres/tools/monitor/activity.ts';

describe('the tree of blocked sessions', () => {
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
  ])('contains every session of a %s exactly once', (_, sessions, tree) => {
    const rows = sessions.map(([pid = '', blockers = '']) => [null, pid, blockers === '' ? null : blockers]);
    expect(buildBlockingTree(rows).map(([depth, pid]) => `${depth ?? ''} ${pid ?? ''}`)).toEqual(tree);
  });
});
