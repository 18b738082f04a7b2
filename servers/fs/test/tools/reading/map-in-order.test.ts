import { describe, expect, it } from 'vitest';

import { mapInOrder } from '../../../src/tools/reading/read-multiple-files.ts';

/** Resolves after all pending promise callbacks. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('mapInOrder', () => {
  it('runs at most the given number of calls at once and yields the results in order', async () => {
    const release: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const work = async (name: string): Promise<string> => {
      most = Math.max(most, (running += 1));
      await new Promise<void>((resolve) => release.unshift(resolve));
      running -= 1;
      return name.toUpperCase();
    };
    const results: string[] = [];
    const all = (async () => {
      for await (const result of mapInOrder(['a', 'b', 'c', 'd', 'e'], 2, work)) results.push(result);
    })();
    while (results.length < 5) {
      await settled();
      release.shift()?.();
    }
    await all;
    expect(results).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(most).toBe(2);
  });

  it('rejects with the first error, after all started calls have ended', async () => {
    const ended: string[] = [];
    const work = async (name: string): Promise<string> => {
      if (name === 'a') await settled();
      await settled();
      ended.push(name);
      throw new Error(name);
    };
    const all = (async () => {
      for await (const result of mapInOrder(['a', 'b', 'c', 'd'], 3, work)) ended.push(result);
    })();
    await expect(all).rejects.toThrow('a');
    expect(ended.toSorted()).toEqual(['a', 'b', 'c']);
  });
});
