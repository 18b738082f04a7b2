import { describe, expect, it } from 'vitest';

import { inOrder } from '../../src/operations/in-order.ts';

/** Resolves when all that is waiting to run has run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('work in order', () => {
  it('is done on a few at once, and told in the order it was given', async () => {
    const release: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const work = async (name: string): Promise<string> => {
      most = Math.max(most, (running += 1));
      await new Promise<void>((resolve) => release.unshift(resolve));
      running -= 1;
      return name.toUpperCase();
    };
    const told: string[] = [];
    const all = (async () => {
      for await (const [given, done] of inOrder(['a', 'b', 'c', 'd', 'e'], 2, work)) told.push(given + done);
    })();
    while (told.length < 5) {
      await settled();
      release.shift()?.();
    }
    await all;
    expect(told).toEqual(['aA', 'bB', 'cC', 'dD', 'eE']);
    expect(most).toBe(2);
  });

  it('fails with the first that fails, and not before the others have ended', async () => {
    const ended: string[] = [];
    const work = async (name: string): Promise<never> => {
      if (name === 'a') await settled();
      await settled();
      ended.push(name);
      throw new Error(name);
    };
    const all = (async () => {
      for await (const [given] of inOrder(['a', 'b', 'c', 'd'], 3, work)) ended.push(`${given} told`);
    })();
    await expect(all).rejects.toThrow('a');
    expect(ended.toSorted()).toEqual(['a', 'b', 'c']);
  });
});
