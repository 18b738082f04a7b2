import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { RateLimiter } from '../../../src/runtime/limits/rate-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function admitted(limit: RateLimiter, caller: string): boolean {
  try {
    limit.countCall(caller, 'query');
    return true;
  } catch {
    return false;
  }
}

describe('a rate limiter', () => {
  it('allows a burst of calls, and then reports when to try again', () => {
    const limit = new RateLimiter({ calls: 3, perSeconds: 60 });
    expect([1, 2, 3].map(() => admitted(limit, 'ada'))).toEqual([true, true, true]);
    expect(() => limit.countCall('ada', 'query')).toThrow(
      expect.objectContaining({
        code: 'RATE_LIMITED',
        message: 'query is limited to 3 calls per 60 s',
        hint: 'try again in 20.0 s',
        data: { retryAfterMs: 20_000 },
      }),
    );
  });

  it('allows further calls as time passes', () => {
    const limit = new RateLimiter({ calls: 2, perSeconds: 10 });
    for (let call = 0; call < 2; call += 1) limit.countCall('ada', 'query');
    vi.advanceTimersByTime(4999);
    expect(admitted(limit, 'ada')).toBe(false);
    vi.advanceTimersByTime(1);
    expect(admitted(limit, 'ada')).toBe(true);
    expect(admitted(limit, 'ada')).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect([1, 2, 3].map(() => admitted(limit, 'ada'))).toEqual([true, true, false]);
  });

  it('counts each caller separately', () => {
    const limit = new RateLimiter({ calls: 1, perSeconds: 60 });
    expect([admitted(limit, 'ada'), admitted(limit, 'ada'), admitted(limit, 'eve')]).toEqual([true, false, true]);
    expect(() => limit.countCall('eve', 'query')).toThrow('query is limited to 1 call per 60 s');
  });

  it('remembers the 10,000 most recent callers', () => {
    const limit = new RateLimiter({ calls: 1, perSeconds: 60 });
    limit.countCall('first', 'query');
    limit.countCall('busy', 'query');
    const admitOthers = (count: number): void => {
      for (let caller = 0; caller < count; caller += 1) limit.countCall(`caller ${others++}`, 'query');
    };
    let others = 0;
    admitOthers(5000);
    expect(admitted(limit, 'busy')).toBe(false);
    admitOthers(4999);
    expect(admitted(limit, 'busy')).toBe(false);
    expect(admitted(limit, 'first')).toBe(true);
  });
});
