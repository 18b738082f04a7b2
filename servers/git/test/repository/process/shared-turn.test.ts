import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { SharedTurn } from '../../../src/repository/repositories.ts';

describe('a shared turn', () => {
  it('runs work once for all callers in one turn of the event loop, and again in the next turn', async () => {
    let done = 0;
    const shared = new SharedTurn<number>();
    const ask = (key: string): Promise<number> => shared.run(key, async () => (done += 1));
    expect(await Promise.all([ask('a'), ask('b'), ask('a')])).toEqual([1, 2, 1]);
    expect(await ask('a')).toBe(1);
    await nextTurn();
    expect(await ask('a')).toBe(3);
  });

  it('runs work again for the other callers if it failed for the first', async () => {
    const shared = new SharedTurn<string>();
    const first = shared.run('a', async () => Promise.reject(new Error('cancelled')));
    const second = shared.run('a', async () => 'done');
    await expect(first).rejects.toThrow('cancelled');
    expect(await second).toBe('done');
  });
});
