import { describe, expect, it } from 'vitest';

import { Shares } from '../../../src/runtime/limits/shares.ts';

/** Takes as much as the principal may get, and returns the amount that the principal then holds. */
function takeAll(shares: Shares, principal: string): number {
  while (shares.shortage(principal) === undefined) shares.take(principal);
  return shares.heldBy(principal);
}

describe('shares', () => {
  it('allow one principal half, and the next one half of the rest', () => {
    const shares = new Shares(100);
    expect([takeAll(shares, 'bob'), takeAll(shares, 'ada'), takeAll(shares, 'eve')]).toEqual([50, 25, 12]);
    expect(shares.shortage('bob')).toBe('own');
    expect(shares.shortage('newcomer')).toBeUndefined();
  });

  it('allow everything to callers without a principal', () => {
    const shares = new Shares(3);
    for (let count = 0; count < 3; count += 1) {
      expect(shares.shortage(undefined)).toBeUndefined();
      shares.take(undefined);
    }
    expect(shares.shortage(undefined)).toBe('all');
  });

  it('allow a new principal to take the rest, however small', () => {
    const shares = new Shares(1);
    expect(takeAll(shares, 'bob')).toBe(1);
    expect(shares.shortage('ada')).toBe('all');
    shares.giveBack('bob');
    expect([shares.taken, takeAll(shares, 'ada')]).toEqual([0, 1]);
  });
});
