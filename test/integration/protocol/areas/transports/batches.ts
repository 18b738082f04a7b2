import { expect } from 'vitest';

import type { Area } from '../../client/area.ts';
import type { Message } from '../../messages/message.ts';
import { roundTrip, textOf } from '../../client/reading.ts';

const NOTIFICATION: Message = { jsonrpc: '2.0', method: 'notifications/nothing' };

function echo(id: string): Message {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text: id } } };
}

export const batches: Area = (test, { transport }) => {
  test('answers each request of a batch', ['base.batch'], async ({ client }) => {
    const answers = ['one', 'two', 'three'].map((id) => client.answerTo(id, 'tools/call'));
    await client.write(JSON.stringify([echo('one'), NOTIFICATION, echo('two'), echo('three')]));
    expect((await Promise.all(answers)).map(({ result }) => textOf(result ?? {}))).toEqual(['one', 'two', 'three']);
  });

  // Over HTTP, an invalid message makes the server reject the whole batch, so this test runs only over stdio.
  if (transport === 'stdio')
    test(
      'answers the valid requests of a batch, and rejects the other ones',
      ['base.batch', 'base.request-invalid'],
      async ({ client }) => {
        const answer = client.answerTo('right', 'tools/call');
        const before = client.received.length;
        await client.write(JSON.stringify([1, echo('right'), { jsonrpc: '2.0', id: 'wrong' }]));
        expect(textOf((await answer).result ?? {})).toBe('right');
        await roundTrip(client);
        const refused = client.received.slice(before).filter(({ error }) => error?.code === -32_600);
        expect(new Set(refused.map(({ id }) => id))).toEqual(new Set([undefined, 'wrong']));
        expect(refused).toHaveLength(2);
      },
    );

  test('does not answer a batch that contains only notifications', ['base.batch-notifications'], async ({ client }) => {
    const before = client.received.length;
    await client.write(JSON.stringify([NOTIFICATION, NOTIFICATION]));
    await roundTrip(client);
    expect(client.received.length - before).toBe(1);
  });

  test('rejects an empty batch', ['base.batch-empty'], async ({ client }) => {
    const refused = client.upcoming(({ error }) => error !== undefined);
    await client.write('[]');
    const answer = await refused;
    expect(answer.error).toMatchObject({ code: -32_600 });
    expect(answer).not.toHaveProperty('id');
  });
};
