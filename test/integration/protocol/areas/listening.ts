import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { belongsTo, openStream, SUBSCRIPTION } from '../client/listening.ts';
import type { Message } from '../messages/message.ts';
import { roundTrip } from '../client/reading.ts';
import { serve } from '../client/served.ts';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const URI = 'protocol://watched/listened';

const WRONG: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['without notifications', {}],
  ['with a list instead of an object', { notifications: ['toolsListChanged'] }],
  ['with a number instead of a URI', { notifications: { resourceSubscriptions: [5] } }],
];

function isUpdate({ method }: Message): boolean {
  return method === 'notifications/resources/updated';
}

export const listening: Area = (test, cell) => {
  test(
    'begins a listen stream with an acknowledgement of the subscriptions',
    ['listen.acknowledged', 'listen.id'],
    async ({ client }) => {
      const wanted = { toolsListChanged: true, resourceSubscriptions: [URI] };
      const before = client.received.length;
      const { id, first } = await openStream(client, wanted);
      expect(first).toMatchObject({ method: ACKNOWLEDGED, params: { notifications: wanted, _meta: { [SUBSCRIPTION]: id } } });
      expect(client.received.slice(before).filter(belongsTo(id))).toEqual([first]);
      await client.cancel(id);
    },
  );

  test('omits resources that cannot be watched from the acknowledgement', ['listen.honoured'], async ({ client }) => {
    const { id, first } = await openStream(client, { resourceSubscriptions: [URI, 'protocol://text', 'protocol://nothing'] });
    expect(first.params?.notifications).toEqual({ resourceSubscriptions: [URI] });
    await client.cancel(id);
  });

  test(
    'sends only the requested notifications on a listen stream, marked with the id of the listen request',
    ['listen.requested', 'listen.id'],
    async ({ client }) => {
      const { id } = await openStream(client, { promptsListChanged: true });
      const before = client.received.length;
      const upcoming = client.upcoming(belongsTo(id));
      await client.call('touch', { uri: URI });
      for (const kind of ['tools', 'resources', 'prompts']) await client.call('change', { kind });
      const told = await upcoming;
      expect(told).toMatchObject({ method: 'notifications/prompts/list_changed', params: { _meta: { [SUBSCRIPTION]: id } } });
      await roundTrip(client);
      const came = client.received.slice(before).filter(({ method }) => method !== undefined);
      expect(came).toEqual([told]);
      await client.cancel(id);
    },
  );

  test(
    'marks the notifications of several listen streams with the id of each stream',
    ['listen.several', 'listen.id'],
    async ({ client }) => {
      const first = await openStream(client, { resourceSubscriptions: [URI] });
      const second = await openStream(client, { resourceSubscriptions: [URI], toolsListChanged: true });
      const before = client.received.length;
      const last = client.upcoming(({ method }) => method === 'notifications/tools/list_changed');
      const told = client.upcoming((message) => isUpdate(message) && belongsTo(first.id)(message));
      await client.call('touch', { uri: URI });
      await client.call('change', { kind: 'tools' });
      expect(belongsTo(second.id)(await last)).toBe(true);
      await told;
      await roundTrip(client);
      const came = client.received.slice(before).filter(isUpdate);
      expect(came.map(({ params }) => params?._meta?.[SUBSCRIPTION])).toHaveLength(2);
      expect(new Set(came.map(({ params }) => params?._meta?.[SUBSCRIPTION]))).toEqual(new Set([first.id, second.id]));
      for (const { id } of [first, second]) await client.cancel(id);
    },
  );

  test(
    'ends a listen stream when the client cancels the stream, and sends no further messages',
    ['listen.cancelled', 'cancellation.silent'],
    async ({ client }) => {
      const first = await openStream(client, { resourceSubscriptions: [URI] });
      const second = await openStream(client, { resourceSubscriptions: [URI] });
      await client.cancel(first.id);
      const before = client.received.length;
      const told = client.upcoming(belongsTo(second.id));
      await client.call('touch', { uri: URI });
      await told;
      const came = client.received.slice(before);
      expect(came.filter((message) => message.id === first.id || belongsTo(first.id)(message))).toEqual([]);
      await client.cancel(second.id);
    },
  );

  test('sends no messages of other requests on a listen stream', ['listen.not-requests'], async ({ client }) => {
    const { id } = await openStream(client, { toolsListChanged: true });
    const before = client.received.length;
    const _meta = { progressToken: 'elsewhere', 'io.modelcontextprotocol/logLevel': 'debug' };
    await client.result('tools/call', { name: 'report', arguments: { steps: [1, 2] }, _meta });
    await client.result('tools/call', { name: 'log', _meta });
    await roundTrip(client);
    const came = client.received.slice(before);
    expect(came.filter(({ method }) => method === 'notifications/progress' || method === 'notifications/message').length).toBe(
      10,
    );
    expect(came.filter(belongsTo(id))).toEqual([]);
    await client.cancel(id);
  });

  for (const [what, params] of WRONG)
    test(`rejects a listen request ${what}`, ['base.params-invalid', 'listen.requested'], async ({ client }) => {
      expect(await client.error('subscriptions/listen', params)).toMatchObject({ code: -32_602 });
    });

  test('ends a listen stream with a result when the server closes', ['listen.closed', 'listen.id'], async () => {
    await using served = await serve(cell);
    await using client = await served.connect();
    const { id, answer } = await openStream(client, { toolsListChanged: true });
    const closed = served.close();
    expect(await answer).toMatchObject({ id, result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: id } } });
    await closed;
  });
};
