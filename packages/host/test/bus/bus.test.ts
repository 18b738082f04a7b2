import { createServer } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Bus } from '../../src/bus/bus.ts';
import { joinBus } from '../../src/bus/join-bus.ts';
import { postgresCarrier } from '../../src/bus/postgres-carrier.ts';
import { redisCarrier } from '../../src/bus/redis-carrier.ts';
import { UsageError } from '../../src/process/usage-error.ts';
import { PASSWORD, type Broker } from './broker.ts';
import { Doorway } from './doorway.ts';
import { ALL_LISTS, Joined, PROMPTS, TOOLS, updated } from './joined.ts';
import { listen } from './listen.ts';
import { PostgresBroker } from './postgres-broker.ts';
import { HAS_REDIS, RedisBroker } from './redis-broker.ts';

const BROKERS = [
  { name: 'PostgreSQL', create: () => PostgresBroker.create(), carrier: postgresCarrier, skipped: false },
  {
    name: HAS_REDIS ? 'Redis' : 'Redis (skipped: there is no program redis-server)',
    create: () => RedisBroker.create(),
    carrier: redisCarrier,
    skipped: !HAS_REDIS,
  },
];

describe.each(BROKERS)('a bus on $name', { timeout: 60_000 }, ({ create, carrier, skipped }) => {
  let broker: Broker;
  beforeAll(async () => {
    if (!skipped) broker = await create();
  });
  afterAll(() => broker?.[Symbol.asyncDispose]());

  it.skipIf(skipped)('delivers each change once to other processes and never to its own', async () => {
    await using one = await Joined.by(broker.url);
    await using other = await Joined.by(broker.url);
    await one.listenTo('notes://a');
    await other.listenTo('notes://a', 'notes://ü?"\u0000\uD800');
    one.publish(TOOLS, updated('notes://a'), updated('notes://nobody'), updated('notes://ü?"\u0000\uD800'));
    other.publish(PROMPTS);
    await vi.waitFor(() => {
      expect(other.heard).toEqual(['prompts_list_changed', 'tools_list_changed', 'notes://a', 'notes://ü?"\u0000\uD800']);
      expect(one.heard.slice(4)).toEqual(['prompts_list_changed']);
    });
  });

  it.skipIf(skipped)('separates servers with different names of any length', async () => {
    const names = ['a', `${'n'.repeat(80)}1`, `${'n'.repeat(80)}2`];
    const [one, other] = [names.map(() => new Joined()), names.map(() => new Joined())];
    const joinAll = (servers: readonly Joined[]): Promise<AsyncDisposable> =>
      joinBus(broker.url, new Map(names.map((name, position) => [name, servers[position]!])), new Joined().log);
    const buses = [await joinAll(one), await joinAll(other)];
    one[1]!.publish(TOOLS);
    one[2]!.publish(PROMPTS);
    await vi.waitFor(() =>
      expect(other.map(({ heard }) => heard)).toEqual([[], ['tools_list_changed'], ['prompts_list_changed']]),
    );
    for (const bus of buses) await bus[Symbol.asyncDispose]();
  });

  it.skipIf(skipped)('delivers nothing after the server object left the bus', async () => {
    await using one = await Joined.by(broker.url);
    const other = await Joined.by(broker.url);
    await using third = await Joined.by(broker.url);
    await other[Symbol.asyncDispose]();
    other.publish(PROMPTS);
    one.publish(TOOLS);
    await vi.waitFor(() => expect(third.heard).toEqual(['tools_list_changed']));
    expect([one.heard, other.heard]).toEqual([['tools_list_changed'], ['prompts_list_changed']]);
  });

  it.skipIf(skipped)('reconnects, sends the waiting messages and notifies clients that everything may have changed', async () => {
    await using one = await Joined.by(broker.url);
    await using other = await Joined.by(broker.url);
    await other.listenTo('notes://a', 'notes://b');
    for (let times = 0; times < 2; times += 1) {
      other.heard.length = 0;
      await broker.stop();
      await vi.waitFor(() => expect([one, other].map((each) => /lost the connection/.test(each.logged()))).toEqual([true, true]));
      one.publish(TOOLS, updated('notes://a'));
      await broker.start();
      await vi.waitFor(() => expect(other.heard).toEqual(expect.arrayContaining([...ALL_LISTS, 'notes://a', 'notes://b'])));
      one.publish(updated('notes://b'));
      await vi.waitFor(() => expect(other.heard.filter((each) => each === 'notes://b').length).toBeGreaterThan(1), 20_000);
      for (const { lines } of [one, other]) lines.length = 0;
    }
  });

  it.skipIf(skipped)('logs the lost and the restored connection without a password', async () => {
    await using one = await Joined.by(broker.url);
    await broker.stop();
    await broker.start();
    await vi.waitFor(() => expect(one.logged()).toContain(`the connection to the bus ${shownOf(broker)} is restored`), 20_000);
    expect(one.logged()).toMatch(
      /warning lost the connection to the bus \S+; changes from other processes are missed until the connection is restored: ./,
    );
    expect(one.logged()).not.toMatch(/ss:w|ss%3Aw/);
  });

  it.skipIf(skipped)('sends waiting changes after reconnecting, or one overflow message if too many changes wait', async () => {
    await using doorway = await Doorway.open(broker.socket);
    await using one = await Joined.by(broker.urlWith(PASSWORD, doorway));
    await using other = await Joined.by(broker.url);
    await other.listenTo('notes://a');
    const whileLost = async (publish: () => void): Promise<void> => {
      other.heard.length = 0;
      one.lines.length = 0;
      doorway.shut();
      await vi.waitFor(() => expect(one.logged()).toContain('lost the connection'));
      publish();
      doorway.reopen();
    };
    await whileLost(() => one.publish(TOOLS, updated('notes://a'), TOOLS));
    await vi.waitFor(() => expect(other.heard).toEqual(['tools_list_changed', 'notes://a']), 20_000);
    await whileLost(() => {
      for (let uri = 0; uri < 1001; uri += 1) one.publish(updated(`notes://${uri}`));
    });
    await vi.waitFor(() => expect(other.heard).toEqual([...ALL_LISTS, 'notes://a']), 20_000);
  });

  it.skipIf(skipped)('ignores unknown messages on its channel', async () => {
    await using one = await Joined.by(broker.url);
    await using other = await Joined.by(broker.url);
    const foreign = ['', 'no JSON', 'null', '[]', '1', '{}', '{"origin":"x"}', '{"origin":1,"kind":"tools_list_changed"}'];
    const kinds = ['unknown', '__proto__', 'resource_updated', null].map((kind) => JSON.stringify({ origin: 'x', kind }));
    const wrong = JSON.stringify({ origin: 'x', kind: 'resource_updated', uri: ['notes://a'] });
    await broker.say('mcp:notes', [...foreign, ...kinds, wrong]);
    one.publish(TOOLS);
    await vi.waitFor(() => expect(other.heard).toEqual(['tools_list_changed']));
    expect(other.logged()).toContain('debug ignored an unknown message on the bus channel mcp:notes');
  });

  it.skipIf(skipped)(
    'limits the delivery of a flood of messages',
    async () => {
      await using joined = await Joined.by(broker.url);
      await joined.listenTo('notes://a');
      const flood = [TOOLS, updated('notes://a'), updated('notes://nobody'), { kind: 'everything_changed' }];
      const payloads = flood.map((event) => JSON.stringify({ origin: 'x', ...event }));
      const startedAt = performance.now();
      await broker.say('mcp:notes', Array.from({ length: 2000 }, () => payloads).flat());
      await broker.say('mcp:notes', [JSON.stringify({ origin: 'x', ...PROMPTS })]);
      await vi.waitFor(() => expect(joined.heard.filter((each) => each === 'notes://a').length).toBeGreaterThan(0));
      // Each interval of 100 ms delivers at most the three lists and the subscribed resource.
      const intervals = Math.ceil((performance.now() - startedAt) / 100) + 1;
      expect(joined.heard.length).toBeLessThanOrEqual(4 * intervals);
      expect(joined.heard).not.toContain('notes://nobody');
    },
    120_000,
  );

  it.skipIf(skipped)('detects a silently lost connection by a ping', async () => {
    const joined = new Joined();
    const options = { name: 'silent', log: joined.log, heartbeatMs: 50 };
    const bus = await Bus.join(carrier(broker.url, 1000), new Map([['mcp:notes', joined]]), options);
    broker.doorway.freeze();
    await vi.waitFor(
      () => expect(joined.logged()).toMatch(/lost the connection to the bus \S*silent.*timed? ?out[^]*silent is restored/),
      20_000,
    );
    await vi.waitFor(() => expect(joined.heard).toEqual(ALL_LISTS));
    await bus[Symbol.asyncDispose]();
  });

  it.skipIf(skipped)('can be left while its connection is not responding', async () => {
    const joined = await Joined.by(broker.url);
    broker.doorway.freeze();
    await joined[Symbol.asyncDispose]();
    expect(joined.logged()).toBe('');
  });

  it.skipIf(skipped)('does not reconnect after the server object left the bus', async () => {
    await using doorway = await Doorway.open(broker.socket);
    const left = await Joined.by(broker.urlWith(PASSWORD, doorway));
    doorway.shut();
    await vi.waitFor(() => expect(left.logged()).toContain('lost the connection'));
    await left[Symbol.asyncDispose]();
    doorway.reopen();
    await using other = await Joined.by(broker.url);
    other.publish(TOOLS);
    left.publish(PROMPTS);
    await using third = await Joined.by(broker.url);
    other.publish(TOOLS);
    await vi.waitFor(() => expect(third.heard).toEqual(['tools_list_changed']));
    expect([left.heard, other.heard]).toEqual([['prompts_list_changed'], ['tools_list_changed', 'tools_list_changed']]);
    expect(left.logged()).not.toContain('info the connection');
  });

  it.skipIf(skipped)('does not wait for a server that never answers', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined).resume());
    const url = broker.url.replace(String(broker.doorway.port), String(await listen(silent)));
    const { log } = new Joined();
    await expect(Bus.join(carrier(url, 100), new Map([['mcp:notes', {}]]), { name: 'silent', log })).rejects.toThrow(/time/i);
    silent.close();
  });

  it.skipIf(skipped)('rejects a wrong password without showing it', async () => {
    const refused = await Joined.by(broker.urlWith('hunter2@x')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect(String(refused)).toMatch(/the bus \S+ cannot be used: .*(password|WRONGPASS)/);
    expect(String(refused)).not.toContain('hunter2');
  });
});

function shownOf(broker: Broker): string {
  const { protocol, host, pathname } = new URL(broker.url);
  return `${protocol}//${host}${pathname}`;
}
