import { describe, expect, it } from 'vitest';

import type { SessionStore } from '../../src/shared-state/session-store.ts';
import { SharedSessions } from '../../src/shared-state/shared-sessions.ts';

const STATE = { initialize: {}, subscribed: [] };

/** Creates the `SharedSessions` of two simulated processes with one store. `texts` contains the stored texts by their keys. */
function start(): { readonly first: SharedSessions; readonly second: SharedSessions; readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const store: SessionStore = {
    read: (key) => Promise.resolve(texts.get(key)),
    replace(key, { previous, next }) {
      const isReplaced = texts.get(key) === previous;
      if (isReplaced && next !== undefined) texts.set(key, next);
      else if (isReplaced) texts.delete(key);
      return Promise.resolve(isReplaced);
    },
  };
  const create = (): SharedSessions =>
    new SharedSessions({ store, key: 'k'.repeat(32), scope: ['notes', '/mcp'], idleMs: 600_000, onError: () => undefined });
  return { first: create(), second: create(), texts };
}

describe('a shared session', () => {
  it('is not taken over after its client has ended it', async () => {
    const { first, second, texts } = start();
    await first.save('id', 'principal', STATE);
    const found = await second.find('id');
    await first.forget('id');
    expect(await second.takeOver(found!)).toBeUndefined();
    expect(texts.size).toBe(0);
  });

  it('is taken over by one process', async () => {
    const { first, second } = start();
    await first.save('id', 'principal', STATE);
    const found = await second.find('id');
    expect(await second.takeOver(found!)).toMatchObject({ owner: second.owner, generation: 1 });
    expect(await first.takeOver(found!)).toBeUndefined();
  });

  it('is stored again if the store was emptied', async () => {
    const { first, second, texts } = start();
    await first.save('id', 'principal', STATE);
    texts.clear();
    await first.save('id', 'principal', { ...STATE, subscribed: ['a:1'] });
    expect(await second.find('id')).toMatchObject({ record: { owner: first.owner, state: { subscribed: ['a:1'] } } });
  });
});
