import { afterEach, describe, expect, it, vi } from 'vitest';

import { LocalSpentSeals, SEAL_LIFETIME_MS, type SingleUse } from '../../../src/runtime/seals/spent-seals.ts';

const NOW = Date.now();
const LIMITS = { perOwner: 2, total: 4 };

function seal(id: string, madeAt: number = NOW): SingleUse {
  return { id, madeAt, memory: 'm' };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the memory of spent seals', () => {
  it('accepts each seal once', () => {
    const spent = new LocalSpentSeals();
    expect(spent.spend(seal('a'), 'ada')).toBe(true);
    expect(spent.spend(seal('a'), 'ada')).toBe(false);
    expect(spent.spend(seal('b'), 'ada')).toBe(true);
  });

  it('accepts no forgotten seal, and no seal that is as old', () => {
    const spent = new LocalSpentSeals(LIMITS);
    const ids = ['a', 'b', 'c', 'd'];
    for (const [age, id] of ids.entries()) expect(spent.spend(seal(id, NOW + age), 'ada')).toBe(true);
    for (const [age, id] of ids.entries()) expect(spent.spend(seal(id, NOW + age), 'ada')).toBe(false);
    expect(spent.spend(seal('unused', NOW), 'ada')).toBe(false);
    expect(spent.spend(seal('later', NOW + 4), 'ada')).toBe(true);
  });

  it('keeps the seals of one owner valid while another owner exceeds the limit', () => {
    const spent = new LocalSpentSeals(LIMITS);
    const pending = seal('pending');
    spent.spend(seal('used'), 'ada');
    for (let count = 0; count < 100; count += 1) spent.spend(seal(`bob ${count}`, NOW + count), 'bob');
    expect(spent.spend(seal('used'), 'ada')).toBe(false);
    expect(spent.spend(pending, 'ada')).toBe(true);
  });

  it('forgets a seal of the owner with the most seals when all owners together have too many', () => {
    const spent = new LocalSpentSeals(LIMITS);
    for (const owner of ['bob', 'bob', 'cy', 'dan', 'eve']) spent.spend(seal(`${owner} ${Math.random()}`, NOW + 1), owner);
    expect(spent.spend(seal('pending'), 'bob')).toBe(false);
    for (const owner of ['cy', 'dan', 'eve']) expect(spent.spend(seal(`pending ${owner}`), owner)).toBe(true);
  });

  it('removes seals that have expired before it forgets others', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const spent = new LocalSpentSeals(LIMITS);
    for (const id of ['a', 'b']) spent.spend(seal(id), 'bob');
    vi.setSystemTime(NOW + SEAL_LIFETIME_MS + 2);
    for (const id of ['c', 'd']) spent.spend(seal(id, NOW + 2), 'ada');
    expect(spent.spend(seal('e', NOW + 2), 'eve')).toBe(true);
    expect(spent.spend(seal('f', NOW + 1), 'bob')).toBe(true);
  });
});
