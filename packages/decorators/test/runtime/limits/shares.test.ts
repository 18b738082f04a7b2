import { describe, expect, it } from 'vitest';

import { Shares } from '../../../src/runtime/limits/shares.ts';

/** Takes as much as the principal gets; returns how much it holds then. */
function takeAll(shares: Shares, principal: string): number {
  while (shares.shortage(principal) === undefined) shares.take(principal);
  return shares.heldBy(principal);
}

describe('shares', () => {
  it('leave one principal half, and the next half of what is left', () => {
    const shares = new Shares(100);
    expect([takeAll(shares, 'bob'), takeAll(shares, 'ada'), takeAll(shares, 'eve')]).toEqual([50, 25, 12]);
    expect(shares.shortage('bob')).toBe('own');
    expect(shares.shortage('newcomer')).toBeUndefined();
  });

  it('leave all to callers that are not told apart', () => {
    const shares = new Shares(3);
    for (let count = 0; count < 3; count += 1) {
      expect(shares.shortage(undefined)).toBeUndefined();
      shares.take(undefined);
    }
    expect(shares.shortage(undefined)).toBe('all');
  });

  it('leave something to the first that comes, however little there is', () => {
    const shares = new Shares(1);
    expect(takeAll(shares, 'bob')).toBe(1);
    expect(shares.shortage('ada')).toBe('all');
    shares.giveBack('bob');
    expect([shares.taken, takeAll(shares, 'ada')]).toEqual([0, 1]);
  });
});
