import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { SessionStore } from '../../src/shared-state/session-store.ts';
import { StoredSpentSeals } from '../../src/shared-state/stored-spent-seals.ts';
import type { Bus } from '../../src/bus/bus.ts';
import { joinBus } from '../../src/bus/join-bus.ts';
import type { Broker } from './broker.ts';
import { Joined } from './joined.ts';
import { PostgresBroker } from './postgres-broker.ts';
import { HAS_REDIS, RedisBroker } from './redis-broker.ts';

const BROKERS = [
  { name: 'Redis (needs redis-server)', isInstalled: HAS_REDIS, create: () => RedisBroker.create() },
  { name: 'PostgreSQL', isInstalled: true, create: () => PostgresBroker.create() },
];

const LONG = { lifetimeMs: 600_000 };

describe.each(BROKERS)('the store on $name', ({ isInstalled, create }) => {
  describe.skipIf(!isInstalled)('of two processes', () => {
    let broker: Broker;
    let buses: readonly [Bus, Bus];
    const store = (): SessionStore => buses[0].sessions;
    const other = (): SessionStore => buses[1].sessions;

    beforeAll(async () => {
      broker = await create();
      const join = (): Promise<Bus> => joinBus(broker.url, new Map([['notes', {}]]), new Joined().log);
      buses = await Promise.all([join(), join()]);
    });
    afterAll(async () => {
      for (const bus of buses) await bus[Symbol.asyncDispose]();
      await broker[Symbol.asyncDispose]();
    });

    it('has no text for an unknown key', async () => {
      expect(await store().read('unknown')).toBeUndefined();
    });

    it('replaces exactly the expected text', async () => {
      expect(await store().replace('a', { previous: 'x', next: 'y', ...LONG })).toBe(false);
      expect(await store().replace('a', { previous: undefined, next: 'one', ...LONG })).toBe(true);
      expect(await other().replace('a', { previous: undefined, next: 'two', ...LONG })).toBe(false);
      expect(await other().replace('a', { previous: 'two', next: 'three', ...LONG })).toBe(false);
      expect(await other().replace('a', { previous: 'one', next: 'two', ...LONG })).toBe(true);
      expect([await store().read('a'), await other().read('a')]).toEqual(['two', 'two']);
    });

    it('deletes exactly the expected text', async () => {
      await store().replace('b', { previous: undefined, next: 'one', ...LONG });
      expect(await store().replace('b', { previous: 'two', next: undefined, ...LONG })).toBe(false);
      expect(await store().replace('b', { previous: 'one', next: undefined, ...LONG })).toBe(true);
      expect(await store().read('b')).toBeUndefined();
    });

    it('lets one of several processes win', async () => {
      const tries = Array.from({ length: 20 }, (_, number) =>
        (number % 2 === 0 ? store() : other()).replace('c', { previous: undefined, next: `${number}`, ...LONG }),
      );
      expect((await Promise.all(tries)).filter(Boolean)).toEqual([true]);
    });

    it('forgets a text at the end of its lifetime, which each change restarts', async () => {
      await store().replace('d', { previous: undefined, next: 'one', lifetimeMs: 50 });
      await vi.waitFor(async () => expect(await store().read('d')).toBeUndefined());
      expect(await store().replace('d', { previous: 'one', next: 'two', ...LONG })).toBe(false);
      expect(await store().replace('d', { previous: undefined, next: 'two', lifetimeMs: 50 })).toBe(true);
      expect(await store().replace('d', { previous: 'two', next: 'two', ...LONG })).toBe(true);
      await store().replace('e', { previous: undefined, next: 'short', lifetimeMs: 100 });
      await vi.waitFor(async () => expect(await store().read('e')).toBeUndefined());
      expect(await store().read('d')).toBe('two');
    });

    it('keeps texts of 2 MiB', async () => {
      const text = 'x'.repeat(2 * 1024 * 1024);
      await store().replace('f', { previous: undefined, next: text, ...LONG });
      expect(await other().read('f')).toBe(text);
    });

    it('remembers for all processes which seals were used', async () => {
      const [one, two] = await Promise.all([StoredSpentSeals.open(store()), StoredSpentSeals.open(other())]);
      expect(one.id).toBe(two.id);
      const seal = { id: 'seal', madeAt: Date.now(), memory: one.id };
      const uses = await Promise.all([one, two, one, two].map((seals) => seals.spend(seal)));
      expect(uses.filter(Boolean)).toEqual([true]);
    });

    it('accepts no seal from before it was emptied', async () => {
      const seals = await StoredSpentSeals.open(store());
      const seal = { id: 'earlier', madeAt: Date.now(), memory: seals.id };
      expect(await seals.spend(seal)).toBe(true);
      await store().replace('seals', { previous: seals.id, next: 'emptied', ...LONG });
      expect(await seals.spend({ ...seal, id: 'unused' })).toBe(false);
      expect(seals.id).toBe('emptied');
      expect(await seals.spend({ ...seal, id: 'new', memory: seals.id })).toBe(true);
    });
  });
});

describe('a store on PostgreSQL', () => {
  it('uses a table that an administrator has created, and reports that it may not create one', async () => {
    await using broker = await PostgresBroker.create();
    await broker.query(`CREATE ROLE guest LOGIN PASSWORD 'guest'`);
    const url = broker.urlWith('guest').replace('postgres:guest', 'guest:guest');
    await using bus = await joinBus(url, new Map([['notes', {}]]), new Joined().log);
    await expect(bus.sessions.read('a')).rejects.toThrow('permission denied for schema public');
    await broker.query('CREATE TABLE mcp_sessions (key text PRIMARY KEY, record text NOT NULL, expires timestamptz NOT NULL)');
    await broker.query('GRANT SELECT, INSERT, UPDATE, DELETE ON mcp_sessions TO guest');
    expect(await bus.sessions.replace('a', { previous: undefined, next: 'text', ...LONG })).toBe(true);
    expect(await bus.sessions.read('a')).toBe('text');
  });
});
