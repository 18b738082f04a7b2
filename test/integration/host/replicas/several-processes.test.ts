import type { Era, Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HAS_REDIS, startRedis } from './redis.ts';
import { Replicas } from './replicas.ts';
import type { RoundRobin } from './round-robin.ts';
import { NOTE } from './several-server.ts';

describe.skipIf(!HAS_REDIS)(
  'two processes with one key and one bus (needs redis-server), behind a proxy that alternates,',
  () => {
    let running: Awaited<ReturnType<typeof startAll>> | undefined;
    const proxy = (): RoundRobin => running!.replicas.proxy;
    const connect = (era: Era): Promise<Session> => running!.replicas.connect(era);

    beforeAll(async () => {
      running = await startAll('a', 'a');
    });
    afterAll(() => running?.[Symbol.asyncDispose]());

    it('receive the requests in turn', async () => {
      await using session = await connect('modern');
      const pids = [await session.text('where_am_i'), await session.text('where_am_i'), await session.text('where_am_i')];
      expect(pids[0]).not.toBe(pids[1]);
      expect(pids[0]).toBe(pids[2]);
    });

    it('reject the answer to a question of the other process, because only the other process can detect a replay', async () => {
      await using session = await connect('modern');
      expect(await session.fails('confirm')).toMatch(
        /^PRECONDITION_FAILED: the requestState was made by another process, and only that process accepts it/,
      );
    });

    it('continue a list that the other process began', async () => {
      await using session = await connect('modern');
      const before = proxy().served.length;
      expect(await session.toolNames()).toEqual(['where_am_i', 'confirm', 'change', 'wait', 'log']);
      expect(new Set(proxy().served.slice(before)).size).toBe(2);
    });

    it.each(['modern', 'legacy'] as const)('notify each other of changes, to clients of the %s era', async (era) => {
      await using listener = await connect(era);
      await using updates = await listener.subscribe(NOTE);
      await using changer = await connect('modern');
      const pids = [await changer.text('change'), await changer.text('change')];
      expect(new Set(pids).size).toBe(2);
      await updates.next();
      await updates.next();
    });
  },
);

describe.skipIf(!HAS_REDIS)('two processes with different keys (needs redis-server), behind a proxy that alternates,', () => {
  it('reject values that the other process sealed', async () => {
    await using running = await startAll('b', 'c');
    await using session = await running.replicas.connect('modern');
    await expect(session.toolNames()).rejects.toMatchObject({ code: -32_602 });
  });
});

async function startAll(...keys: readonly string[]): Promise<{ readonly replicas: Replicas } & AsyncDisposable> {
  const redis = await startRedis();
  const replicas = await Replicas.start({ keys, bus: redis.url, routing: 'by session' });
  return {
    replicas,
    async [Symbol.asyncDispose]() {
      await replicas[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    },
  };
}
