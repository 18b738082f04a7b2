import { afterEach, describe, expect, it, vi } from 'vitest';

import { SpentTokens } from '../../src/confirm/spent-tokens.ts';

const LIFETIME_MS = 1000;

afterEach(() => {
  vi.useRealTimers();
});

describe('tokens that were spent', () => {
  it('are not spent again', () => {
    const tokens = new SpentTokens(LIFETIME_MS);
    expect(tokens.spend({ id: 'a', madeAt: 1 })).toBe(true);
    expect(tokens.spend({ id: 'a', madeAt: 1 })).toBe(false);
    expect(tokens.spend({ id: 'b', madeAt: 1 })).toBe(true);
  });

  it('are not spent again once they are forgotten, and neither is what is as old', () => {
    const tokens = new SpentTokens(LIFETIME_MS, 2);
    const now = Date.now();
    for (const [age, id] of ['a', 'b', 'c', 'd'].entries()) expect(tokens.spend({ id, madeAt: now + age })).toBe(true);
    for (const [age, id] of ['a', 'b', 'c', 'd', 'e'].entries()) expect(tokens.spend({ id, madeAt: now + age })).toBe(id === 'e');
    expect(tokens.spend({ id: 'unused', madeAt: now })).toBe(false);
  });

  it('make room for others when they have expired, so that no unused one counts as spent', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const tokens = new SpentTokens(LIFETIME_MS, 2);
    const then = Date.now();
    for (const id of ['a', 'b']) tokens.spend({ id, madeAt: then });
    vi.setSystemTime(then + LIFETIME_MS + 1);
    expect(tokens.spend({ id: 'c', madeAt: then + 1 })).toBe(true);
    expect(tokens.spend({ id: 'd', madeAt: then })).toBe(true);
  });
});
