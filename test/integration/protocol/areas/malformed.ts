import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { isStateless } from '../messages/cells.ts';
import type { Message } from '../messages/message.ts';
import type { RawClient } from '../client/raw-client.ts';
import { roundTrip, textOf } from '../client/reading.ts';

const NOT_JSON = [
  'nothing',
  '{"jsonrpc":"2.0","id":1,',
  "{'jsonrpc':'2.0'}",
  '{"jsonrpc":"2.0","id":1,"method":"ping"}}',
  '\u0000',
  '[1,',
];

/** JSON texts that are not messages, each with the id that can be read from the text, if any. */
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

/** Sends a text unchanged. Resolves to the next error. */
async function refusal(client: RawClient, text: string): Promise<Message> {
  const refused = client.upcoming(({ error }) => error !== undefined);
  await client.write(text);
  return refused;
}

export const malformed: Area = (test, { revision, transport }) => {
  for (const text of NOT_JSON)
    test(`rejects ${JSON.stringify(text)}, which is not valid JSON, and continues`, ['base.parse-error'], async ({ client }) => {
      const answer = await refusal(client, text);
      expect(answer.error).toMatchObject({ code: -32_700 });
      expect(answer).not.toHaveProperty('id');
      await roundTrip(client);
    });

  for (const [text, id] of NO_MESSAGES)
    test(`rejects ${text}, which is not a message, and continues`, ['base.request-invalid'], async ({ client }) => {
      const answer = await refusal(client, text);
      expect(answer.error).toMatchObject({ code: -32_600 });
      // Over HTTP, the response to the POST shows which message was rejected, so the error may have no id.
      expect(transport === 'stdio' ? [id] : [id, undefined]).toContain(answer.id);
      await roundTrip(client);
    });

  test('rejects null as the id of a request', ['base.id-null'], async ({ client }) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: null, method: 'tools/list', params: client.complete({}) });
    const answer = await refusal(client, text);
    expect(answer.error).toMatchObject({ code: -32_600 });
    expect(answer).not.toHaveProperty('id');
  });

  const removed = isStateless(revision) || revision > '2025-03-26' ? 'base.batch-removed' : 'base.batch-unknown';
  test('rejects a batch and runs none of its requests', [removed], async ({ client }) => {
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
