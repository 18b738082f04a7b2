import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { isStateless } from '../messages/cells.ts';
import { listen } from '../client/listening.ts';
import type { Message } from '../messages/message.ts';
import { roundTrip, textOf } from '../client/reading.ts';

const KINDS = ['tools', 'resources', 'prompts'] as const;

function updateOf(uri: string): (message: Message) => boolean {
  return ({ method, params }) => method === 'notifications/resources/updated' && params?.uri === uri;
}

export const changes: Area = (test, { revision, transport }) => {
  for (const kind of KINDS)
    test(`reports changes of the list of ${kind}`, [`${kind}.list-changed`], async ({ client }) => {
      const listening = await listen(client, { [`${kind}ListChanged`]: true });
      const told = client.upcoming(({ method }) => method === `notifications/${kind}/list_changed`);
      await client.call('change', { kind });
      await told;
      await listening.end();
    });

  test(
    'reports a change of a resource once to each subscriber, with the URI as the subscriber wrote it',
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

  test('does not report changes of a resource without a subscription', ['resources.subscribed-only'], async ({ client }) => {
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
    'reports changes of a resource only to the connection that subscribed to the resource',
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

  test('does not report changes of a resource after the client unsubscribed', ['resources.unsubscribe'], async ({ client }) => {
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
    test(`rejects a subscription to "${uri}"`, ['resources.subscribe-refused'], async ({ client }) => {
      expect([-32_002, -32_602]).toContain((await client.error('resources/subscribe', { uri })).code);
    });
};
