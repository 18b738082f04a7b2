import { expect } from 'vitest';

import type { Area } from '../area.ts';
import { isStateless } from '../cells.ts';
import { listen } from '../listening.ts';
import type { Message } from '../message.ts';
import { roundTrip, textOf } from '../reading.ts';

const KINDS = ['tools', 'resources', 'prompts'] as const;

function updateOf(uri: string): (message: Message) => boolean {
  return ({ method, params }) => method === 'notifications/resources/updated' && params?.uri === uri;
}

export const changes: Area = (test, { revision, transport }) => {
  for (const kind of KINDS)
    test(`of the list of ${kind} are told`, [`${kind}.list-changed`], async ({ client }) => {
      const listening = await listen(client, { [`${kind}ListChanged`]: true });
      const told = client.upcoming(({ method }) => method === `notifications/${kind}/list_changed`);
      await client.call('change', { kind });
      await told;
      await listening.end();
    });

  test(
    'of a resource are told to who subscribed, once each and in its own spelling',
    ['resources.subscribe'],
    async ({ client }) => {
      const uri = 'protocol://watched/a%20b';
      const listening = await listen(client, { resourceSubscriptions: [uri] });
      const before = client.received.length;
      for (let times = 1; times <= 2; times += 1) {
        const told = client.upcoming(updateOf(uri));
        await client.call('touch', { uri });
        await told;
      }
      await roundTrip(client);
      expect(client.received.slice(before).filter(updateOf(uri))).toHaveLength(2);
      await listening.end();
    },
  );

  test('of a resource that was not subscribed to are not told', ['resources.subscribed-only'], async ({ client }) => {
    const [uri, other] = ['protocol://watched/mine', 'protocol://watched/other'];
    const before = client.received.length;
    const listening = await listen(client, { resourceSubscriptions: [uri] });
    const told = client.upcoming(updateOf(uri));
    for (const touched of [other, uri]) await client.call('touch', { uri: touched });
    await told;
    expect(client.received.slice(before).filter(updateOf(other))).toEqual([]);
    await listening.end();
  });

  test(
    'of a resource are told to one connection and not to another',
    ['resources.subscribed-only'],
    async ({ client, served }) => {
      if (transport === 'stdio') return;
      const uri = 'protocol://watched/ours';
      await using other = await served.connect();
      const listening = await listen(client, { resourceSubscriptions: [uri] });
      const told = client.upcoming(updateOf(uri));
      await client.call('touch', { uri });
      await told;
      await roundTrip(other);
      expect(other.received.filter(updateOf(uri))).toEqual([]);
      await listening.end();
    },
  );

  test('of a resource are not told any more once that was asked for', ['resources.unsubscribe'], async ({ client }) => {
    const [uri, other] = ['protocol://watched/left', 'protocol://watched/kept'];
    const left = await listen(client, { resourceSubscriptions: [uri] });
    const kept = await listen(client, { resourceSubscriptions: [other] });
    await left.end();
    const before = client.received.length;
    const told = client.upcoming(updateOf(other));
    for (const touched of [uri, other]) await client.call('touch', { uri: touched });
    await told;
    expect(client.received.slice(before).filter(updateOf(uri))).toEqual([]);
    if (transport === 'stdio' || !isStateless(revision)) expect(textOf(await client.call('watchers', { uri }))).toBe('0');
    await kept.end();
  });

  for (const uri of ['protocol://text', 'protocol://nothing', 'nothing', ''])
    test(`of "${uri}" are not told, and that is said`, ['resources.subscribe-refused'], async ({ client }) => {
      expect([-32_002, -32_602]).toContain((await client.error('resources/subscribe', { uri })).code);
    });
};
