import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { RateLimit } from '../../../src/runtime/limits/rate-limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function admitted(limit: RateLimit, caller: string): boolean {
  try {
    limit.admit(caller, 'query');
    return true;
  } catch {
    return false;
  }
}

describe('a rate limit', () => {
  it('lets so many calls through at once, and then says when to try again', () => {
    const limit = new RateLimit({ calls: 3, perSeconds: 60 });
    expect([1, 2, 3].map(() => admitted(limit, 'ada'))).toEqual([true, true, true]);
    expect(() => limit.admit('ada', 'query')).toThrow(
      expect.objectContaining({
        code: 'RATE_LIMITED',
        message: 'query is limited to 3 calls in 60 s',
        hint: 'try again in 20.0 s',
        data: { retryAfterMs: 20_000 },
      }),
    );
  });

  it('lets calls through again as time goes by', () => {
    const limit = new RateLimit({ calls: 2, perSeconds: 10 });
    for (let call = 0; call < 2; call += 1) limit.admit('ada', 'query');
    vi.advanceTimersByTime(4999);
    expect(admitted(limit, 'ada')).toBe(false);
    vi.advanceTimersByTime(1);
    expect(admitted(limit, 'ada')).toBe(true);
    expect(admitted(limit, 'ada')).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect([1, 2, 3].map(() => admitted(limit, 'ada'))).toEqual([true, true, false]);
  });

  it('is for each caller by itself', () => {
    const limit = new RateLimit({ calls: 1, perSeconds: 60 });
    expect([admitted(limit, 'ada'), admitted(limit, 'ada'), admitted(limit, 'eve')]).toEqual([true, false, true]);
    expect(() => limit.admit('eve', 'query')).toThrow('query is limited to 1 call in 60 s');
  });

  it('remembers the 10,000 callers that were there last', () => {
    const limit = new RateLimit({ calls: 1, perSeconds: 60 });
    limit.admit('first', 'query');
    limit.admit('busy', 'query');
    const admitOthers = (count: number): void => {
      for (let caller = 0; caller < count; caller += 1) limit.admit(`caller ${others++}`, 'query');
    };
    let others = 0;
    admitOthers(5000);
    expect(admitted(limit, 'busy')).toBe(false);
    admitOthers(4999);
    expect(admitted(limit, 'busy')).toBe(false);
    expect(admitted(limit, 'first')).toBe(true);
  });
});
