import { afterEach, describe, expect, it, vi } from 'vitest';

import { OwnedEntries } from '../../../src/runtime/seals/owned-entries.ts';
import { SEAL_LIFETIME_MS } from '../../../src/runtime/seals/spent-seals.ts';

/** Limits in bytes for 2 entries per owner and 4 in total: an entry with a text of one character counts as 302 bytes. */
const LIMITS = { perOwner: 2 * 302, total: 4 * 302 };

function keysOf(entries: OwnedEntries, owner: string): readonly string[] {
  return ['a', 'b', 'c', 'd'].filter((key) => entries.get(owner, key) !== undefined);
}

afterEach(() => {
  vi.useRealTimers();
});

describe('entries of owners', () => {
  it('are found only by their owner', () => {
    const entries = new OwnedEntries(LIMITS);
    entries.set('ada', 'a', '1');
    expect(entries.get('ada', 'a')).toBe('1');
    expect(entries.get('bob', 'a')).toBeUndefined();
  });

  it('are removed oldest first when an owner has too many bytes', () => {
    const entries = new OwnedEntries(LIMITS);
    for (const key of ['a', 'b', 'c']) entries.set('ada', key, '1');
    expect(keysOf(entries, 'ada')).toEqual(['b', 'c']);
    entries.set('ada', 'b', '2');
    entries.set('ada', 'd', '1');
    expect(keysOf(entries, 'ada')).toEqual(['b', 'd']);
  });

  it('stay while another owner adds more than its limit', () => {
    const entries = new OwnedEntries(LIMITS);
    entries.set('ada', 'a', '1');
    for (let count = 0; count < 100; count += 1) entries.set('bob', String(count), '1');
    expect(keysOf(entries, 'ada')).toEqual(['a']);
  });

  it('are removed from the owner with the most bytes when all owners together have too many', () => {
    const entries = new OwnedEntries(LIMITS);
    for (const [owner, key] of ['bob a', 'bob b', 'cy a', 'dan a', 'eve a'].map((each) => each.split(' ')))
      entries.set(owner ?? '', key ?? '', '1');
    expect(['bob', 'cy', 'dan', 'eve'].map((owner) => keysOf(entries, owner))).toEqual([['b'], ['a'], ['a'], ['a']]);
  });

  it('expire after a day, and are then removed first', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const entries = new OwnedEntries(LIMITS);
    for (const owner of ['ada', 'bob', 'cy']) entries.set(owner, 'a', '1');
    vi.setSystemTime(Date.now() + SEAL_LIFETIME_MS + 1);
    expect(entries.get('ada', 'a')).toBeUndefined();
    for (const key of ['c', 'd']) entries.set('dan', key, '1');
    expect(keysOf(entries, 'dan')).toEqual(['c', 'd']);
  });

  it('are not kept if one exceeds the limit of its owner', () => {
    const entries = new OwnedEntries(LIMITS);
    entries.set('ada', 'a', 'x'.repeat(1000));
    expect(entries.get('ada', 'a')).toBeUndefined();
    entries.set('ada', 'b', '1');
    expect(keysOf(entries, 'ada')).toEqual(['b']);
  });
});
