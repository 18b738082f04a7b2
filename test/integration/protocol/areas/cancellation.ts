import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { since } from '../messages/cells.ts';
import { roundTrip } from '../client/reading.ts';

/** Parameters of invalid cancellations, each after a description. */
const MALFORMED: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['of no request', {}],
  ['with an invalid id', { requestId: { a: 1 } }],
  ['of null', { requestId: null }],
  ['with an invalid reason', { requestId: 1, reason: 5 }],
];

export const cancellation: Area = (test, { revision, transport }) => {
  test(
    'stops the cancelled request, and sends no further messages for it',
    ['cancellation.stops', 'cancellation.silent'],
    async ({ client }) => {
      const key = `cancelled ${revision} ${transport}`;
      const _meta = { progressToken: key, 'io.modelcontextprotocol/logLevel': 'debug' };
      const started = client.upcoming(({ params }) => params?.progressToken === key);
      const { id } = await client.start('tools/call', { name: 'wait', arguments: { key }, _meta });
      await started;
      const before = client.received.length;
      await client.cancel(id);
      await client.call('moment', { key, moment: 'stopped' });
      await roundTrip(client);
      const came = client.received.slice(before);
      expect(came.filter((message) => message.id === id)).toEqual([]);
      expect(came.filter(({ params }) => params?.progressToken === key)).toEqual([]);
      if (since(revision, '2026-07-28')) expect(came.filter(({ method }) => method !== undefined)).toEqual([]);
    },
  );

  test('ignores a cancellation of an unknown or answered request', ['cancellation.unknown'], async ({ client }) => {
    const { id, answer } = await client.start('tools/call', { name: 'echo', arguments: { text: 'hello' } });
    await answer;
    const before = client.received.length;
    for (const requestId of [id, 'nobody', 77_777]) await client.notify('notifications/cancelled', { requestId });
    await roundTrip(client);
    expect(client.received.length - before).toBe(1);
  });

  for (const [what, params] of MALFORMED)
    test(`ignores a cancellation ${what}`, ['cancellation.malformed', 'base.notification'], async ({ client }) => {
      const before = client.received.length;
      await client.notify('notifications/cancelled', params);
      await roundTrip(client);
      expect(client.received.length - before).toBe(1);
    });
};
