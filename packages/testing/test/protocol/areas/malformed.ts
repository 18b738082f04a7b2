import { expect } from 'vitest';

import type { Area } from '../area.ts';
import { isStateless } from '../cells.ts';
import type { Message } from '../message.ts';
import type { RawClient } from '../raw-client.ts';
import { roundTrip, textOf } from '../reading.ts';

const NOT_JSON = [
  'nothing',
  '{"jsonrpc":"2.0","id":1,',
  "{'jsonrpc':'2.0'}",
  '{"jsonrpc":"2.0","id":1,"method":"ping"}}',
  '\u0000',
  '[1,',
];

/** JSON that is no message, and the id that can be read of it. */
const NO_MESSAGES: readonly (readonly [text: string, id?: string])[] = [
  ['{}'],
  ['5'],
  ['"ping"'],
  ['null'],
  ['{"id":"a","method":"tools/list"}', 'a'],
  ['{"jsonrpc":"1.0","id":"b","method":"tools/list"}', 'b'],
  ['{"jsonrpc":"2.0","id":"c"}', 'c'],
  ['{"jsonrpc":"2.0","id":"d","method":5}', 'd'],
  ['{"jsonrpc":"2.0","method":5}'],
  ['{"jsonrpc":"2.0","id":true,"method":"tools/list"}'],
  ['{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}'],
  ['{"jsonrpc":"2.0","id":["a"],"method":"tools/list"}'],
  ['{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}'],
];

/** What is answered to a text that is sent as it is. */
async function refusal(client: RawClient, text: string): Promise<Message> {
  const refused = client.upcoming(({ error }) => error !== undefined);
  await client.write(text);
  return refused;
}

export const malformed: Area = (test, { revision, transport }) => {
  for (const text of NOT_JSON)
    test(`refuses ${JSON.stringify(text)}, which is no JSON, and goes on`, ['base.parse-error'], async ({ client }) => {
      const answer = await refusal(client, text);
      expect(answer.error).toMatchObject({ code: -32_700 });
      expect(answer).not.toHaveProperty('id');
      await roundTrip(client);
    });

  for (const [text, id] of NO_MESSAGES)
    test(`refuses ${text}, which is no message, and goes on`, ['base.request-invalid'], async ({ client }) => {
      const answer = await refusal(client, text);
      expect(answer.error).toMatchObject({ code: -32_600 });
      // A status says by itself what is refused.
      expect(transport === 'stdio' ? [id] : [id, undefined]).toContain(answer.id);
      await roundTrip(client);
    });

  test('does not take null for an id', ['base.id-null'], async ({ client }) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: null, method: 'tools/list', params: client.complete({}) });
    const answer = await refusal(client, text);
    expect(answer.error).toMatchObject({ code: -32_600 });
    expect(answer).not.toHaveProperty('id');
  });

  const removed = isStateless(revision) || revision > '2025-03-26' ? 'base.batch-removed' : 'base.batch-unknown';
  test('refuses a batch and runs nothing of it', [removed], async ({ client }) => {
    const key = `batch ${revision}`;
    const call = { jsonrpc: '2.0', method: 'tools/call', params: client.complete({ name: 'wait', arguments: { key } }) };
    const answer = await refusal(
      client,
      JSON.stringify([
        { ...call, id: 'one' },
        { ...call, id: 'two' },
      ]),
    );
    expect(answer.error).toMatchObject({ code: -32_600 });
    expect(answer).not.toHaveProperty('id');
    expect(textOf(await client.call('runs', { key }))).toBe('0');
  });
};
