import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { SharedTurn } from '../../src/repository/shared-turn.ts';

describe('a shared turn', () => {
  it('does for all who ask at once what it does for the first, and again in the next turn', async () => {
    let done = 0;
    const shared = new SharedTurn<number>();
    const ask = (key: string): Promise<number> => shared.of(key, async () => (done += 1));
    expect(await Promise.all([ask('a'), ask('b'), ask('a')])).toEqual([1, 2, 1]);
    expect(await ask('a')).toBe(1);
    await nextTurn();
    expect(await ask('a')).toBe(3);
  });

  it('does again for each other what failed for the first', async () => {
    const shared = new SharedTurn<string>();
    const first = shared.of('a', async () => Promise.reject(new Error('cancelled')));
    const second = shared.of('a', async () => 'done');
    await expect(first).rejects.toThrow('cancelled');
    expect(await second).toBe('done');
  });
});
