import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import type { Params } from '../messages/message.ts';

/** Requests of 2026-07-28 whose results are complete. */
const SERVED: readonly (readonly [method: string, params: Params])[] = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['tools/call', { name: 'echo', arguments: { text: 'hello' } }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'protocol://text' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'picture' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'review' }, argument: { name: 'language', value: '' } }],
];

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

export const statelessMessages: Area = (test) => {
  for (const [method, params] of SERVED)
    test(
      `marks the result of ${method} as complete, and includes the server information`,
      ['base.result-type', 'base.server-info'],
      async ({ client }) => {
        expect(await client.result(method, params)).toMatchObject({
          resultType: 'complete',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'protocol', version: '1.0.0' } },
        });
      },
    );

  for (const missing of [VERSION, CAPABILITIES])
    test(`rejects a request without ${missing} in its _meta`, ['base.envelope'], async ({ client }) => {
      const id = client.nextId();
      const { [missing]: _, ..._meta } = client.envelope;
      const { answer } = await client.exchange({ jsonrpc: '2.0', id, method: 'tools/list', params: { _meta } }, id);
      expect((await answer).error).toMatchObject({ code: -32_602 });
    });

  test('rejects a request without _meta', ['base.envelope'], async ({ client }) => {
    const id = client.nextId();
    const { answer } = await client.exchange({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }, id);
    expect((await answer).error).toMatchObject({ code: -32_602 });
  });

  test('rejects a request without _meta that is the first of its connection', ['base.envelope'], async ({ served }) => {
    await using client = await served.connect();
    const { answer } = await client.exchange({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, 1);
    expect((await answer).error).toMatchObject({ code: -32_602 });
  });

  test('serves a client that does not send its name', ['base.client-info-optional'], async ({ client }) => {
    const id = client.nextId();
    const { 'io.modelcontextprotocol/clientInfo': _, ..._meta } = client.envelope;
    const { answer } = await client.exchange({ jsonrpc: '2.0', id, method: 'tools/list', params: { _meta } }, id);
    expect((await answer).result).toMatchObject({ resultType: 'complete' });
  });

  for (const [tool, capability] of [
    ['size', 'elicitation'],
    ['where', undefined],
    ['dream', 'sampling'],
  ] as const)
    test(
      `serves a call of ${tool} by the client capabilities in the same request`,
      ['base.stateless', 'base.capability-missing', 'rounds.capabilities'],
      async ({ client }) => {
        expect(await client.result('tools/call', { name: tool })).toMatchObject({ resultType: 'input_required' });
        const bare = await client.request('tools/call', { name: tool, _meta: { [CAPABILITIES]: {} } });
        if (capability === undefined)
          expect(bare.result).toMatchObject({ resultType: 'complete', content: [{ text: 'nowhere' }] });
        else
          expect(bare.error).toMatchObject({
            code: -32_021,
            data: { requiredCapabilities: { [capability]: expect.any(Object) } },
          });
      },
    );

  test('requests input in results and never sends requests', ['base.no-server-requests'], async ({ client }) => {
    for (const name of ['size', 'where', 'dream', 'both'])
      expect(await client.result('tools/call', { name })).toMatchObject({ resultType: 'input_required' });
    expect(client.received.filter(({ id, method }) => method !== undefined && id !== undefined)).toEqual([]);
  });
};
