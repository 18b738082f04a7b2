import { expect } from 'vitest';

import type { Area } from '../../client/area.ts';
import type { Message } from '../../messages/message.ts';
import { answerOf, callOf, messagesOf, post, requestOf, type Changed } from '../../client/posting.ts';
import type { RawClient } from '../../client/raw-client.ts';
import { textOf } from '../../client/reading.ts';
import { eventsOf, isStream } from '../../wires/events.ts';
import { headerValue } from '../../wires/http-wire.ts';

const MISMATCH = -32_020;

/** Returns the status and the error code of the response to a message with changed headers. */
async function refusal(
  client: RawClient,
  message: Message,
  changed: Changed = {},
): Promise<readonly [number, number | undefined]> {
  const response = await post(client, message, changed);
  return [response.status, (await answerOf(response))?.error?.code];
}

/** Returns the text that a tool returns for a message with changed headers. */
async function answered(client: RawClient, message: Message, changed: Changed = {}): Promise<string> {
  return textOf((await answerOf(await post(client, message, changed)))?.result ?? {});
}

function base64(value: string): string {
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

export const statelessHttp: Area = (test) => {
  for (const [what, value] of [
    ['missing', undefined],
    ['a different version', '2025-11-25'],
  ] as const)
    test(`rejects a request whose protocol version header is ${what}`, ['stateless.version-header'], async ({ client }) => {
      const changed = { 'mcp-protocol-version': value };
      expect(await refusal(client, requestOf(client, 'tools/list'), changed)).toEqual([400, MISMATCH]);
    });

  for (const value of [undefined, '', 'tools/call', 'TOOLS/LIST', 'tools/list,tools/list'])
    test(
      `rejects tools/list if the header Mcp-Method is ${JSON.stringify(value)}`,
      ['stateless.method-header', 'stateless.header-case'],
      async ({ client }) => {
        expect(await refusal(client, requestOf(client, 'tools/list'), { 'mcp-method': value })).toEqual([400, MISMATCH]);
      },
    );

  for (const [method, params] of [
    ['tools/call', { name: 'echo', arguments: { text: 'hello' } }],
    ['resources/read', { uri: 'protocol://text' }],
    ['prompts/get', { name: 'picture' }],
  ] as const)
    for (const value of [undefined, 'other', 'ECHO', base64('other'), '=?base64?%%%?='])
      test(
        `rejects ${method} if the header Mcp-Name is ${JSON.stringify(value)}`,
        ['stateless.name-header', 'stateless.header-case'],
        async ({ client }) => {
          expect(await refusal(client, requestOf(client, method, params), { 'mcp-name': value })).toEqual([400, MISMATCH]);
        },
      );

  test('decodes the name in the header Mcp-Name', ['stateless.name-encoded'], async ({ client }) => {
    expect(await answered(client, callOf(client, 'echo', { text: 'hello' }), { 'mcp-name': base64('echo') })).toBe('hello');
    const read = requestOf(client, 'resources/read', { uri: 'protocol://item/世界' });
    const { result, error } = (await answerOf(await post(client, read))) ?? {};
    expect(result ?? error).toMatchObject({ contents: [{ text: 'item 世界' }] });
  });

  test('accepts header names in any case', ['stateless.header-case'], async ({ client }) => {
    const message = callOf(client, 'echo', { text: 'hello' });
    const changed = { 'mcp-method': undefined, 'mcp-name': undefined, 'MCP-METHOD': 'tools/call', 'mCP-nAME': 'echo' };
    expect(await answered(client, message, changed)).toBe('hello');
  });

  const routed = { region: 'Zürich', weight: 42 };
  const mirrored = { 'mcp-param-region': headerValue('Zürich'), 'mcp-param-weight': '42' };

  test('accepts arguments that headers repeat correctly', ['stateless.param-encoded'], async ({ client }) => {
    expect(await answered(client, callOf(client, 'routed', routed), mirrored)).toBe('Zürich, 42');
    const plain = { ...routed, region: 'east' };
    expect(await answered(client, callOf(client, 'routed', plain), { ...mirrored, 'mcp-param-region': 'east' })).toBe('east, 42');
  });

  for (const changed of [
    { 'mcp-param-region': undefined },
    { 'mcp-param-region': 'elsewhere' },
    { 'mcp-param-region': base64('elsewhere') },
    { 'mcp-param-region': '=?base64?%%%?=' },
    { 'mcp-param-weight': '43' },
    { 'mcp-param-weight': 'many' },
  ])
    test(
      `rejects arguments that headers repeat wrongly: ${JSON.stringify(changed)}`,
      ['stateless.param-header'],
      async ({ client }) => {
        expect(await refusal(client, callOf(client, 'routed', routed), { ...mirrored, ...changed })).toEqual([400, MISMATCH]);
      },
    );

  test('compares numbers in headers by their value', ['stateless.param-number'], async ({ client }) => {
    expect(await answered(client, callOf(client, 'routed', routed), { ...mirrored, 'mcp-param-weight': '42.0' })).toBe(
      'Zürich, 42',
    );
  });

  test('requires no header for an absent argument', ['stateless.param-absent'], async ({ client }) => {
    expect(await answered(client, callOf(client, 'routed', {}))).toBe('nowhere, 0');
    expect(await answered(client, callOf(client, 'routed', { region: null, weight: null }))).toBe('nowhere, 0');
  });

  for (const method of ['nothing', 'ping', 'logging/setLevel', 'resources/subscribe'])
    test(
      `returns 404 for the unknown method ${method}`,
      ['stateless.method-unknown', 'versioning.removed-methods'],
      async ({ client }) => {
        expect(await refusal(client, requestOf(client, method))).toEqual([404, -32_601]);
      },
    );

  test('rejects an unsupported protocol version', ['stateless.version-unsupported'], async ({ client }) => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '1999-01-01' };
    expect(await refusal(client, requestOf(client, 'tools/list', { _meta }))).toEqual([400, -32_022]);
  });

  for (const missing of ['protocolVersion', 'clientCapabilities'])
    test(`rejects a request without ${missing} in its _meta`, ['stateless.envelope'], async ({ client }) => {
      const { [`io.modelcontextprotocol/${missing}`]: _, ..._meta } = client.envelope;
      expect(await refusal(client, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })).toEqual([400, -32_602]);
    });

  test('rejects a request that requires a missing client capability', ['stateless.capability-missing'], async ({ client }) => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': {} };
    expect(await refusal(client, requestOf(client, 'tools/call', { name: 'dream', _meta }))).toEqual([400, -32_021]);
  });

  test('treats a closed stream as a cancellation', ['stateless.disconnect'], async ({ client }) => {
    const key = 'disconnected';
    const leave = new AbortController();
    const response = await post(client, callOf(client, 'wait', { key }, { progressToken: key }), {}, leave.signal);
    await eventsOf(response).next();
    leave.abort();
    expect(textOf(await client.call('moment', { key, moment: 'stopped' }))).toBe('stopped');
  });

  test('creates no session and ignores the session header', ['stateless.no-sessions'], async ({ client }) => {
    const response = await post(client, callOf(client, 'echo', { text: 'hello' }), { 'mcp-session-id': 'mine' });
    expect(response.headers.has('mcp-session-id')).toBe(false);
    expect(textOf((await answerOf(response))?.result ?? {})).toBe('hello');
  });

  test('ignores the last event id of a client', ['stateless.no-resumption'], async ({ client }) => {
    const message = callOf(client, 'report', { steps: [1] }, { progressToken: 'resumed' });
    const messages = await messagesOf(await post(client, message, { 'last-event-id': '1-1' }));
    expect(messages.map(({ method }) => method)).toEqual(['notifications/progress', undefined]);
  });

  test('disables buffering of a stream by proxies', ['stateless.unbuffered'], async ({ client }) => {
    const response = await post(client, callOf(client, 'report', { steps: [1] }, { progressToken: 'flows' }));
    expect(isStream(response)).toBe(true);
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    await response.body?.cancel();
  });
};
