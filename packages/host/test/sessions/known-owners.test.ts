import { describe, expect, it } from 'vitest';

import { KnownOwners } from '../../src/sessions/known-owners.ts';

const RECORD = { owner: 'a', url: 'http://a', principal: 'p', generation: 1, state: { initialize: {}, subscribed: [] } };

describe('the known owners', () => {
  it('are remembered without the state of the session', () => {
    const owners = new KnownOwners();
    owners.set('session', RECORD);
    expect(owners.get('session')).toEqual({ owner: 'a', url: 'http://a', principal: 'p' });
    owners.delete('session');
    expect(owners.get('session')).toBeUndefined();
  });

  it('are those of the last 10,000 sessions', () => {
    const owners = new KnownOwners();
    for (let number = 0; number < 10_001; number += 1) owners.set(String(number), RECORD);
    expect([owners.get('0'), owners.get('1')?.owner, owners.get('10000')?.owner]).toEqual([undefined, 'a', 'a']);
  });
});
