import { expect } from 'vitest';

import type { Area } from '../area.ts';
import type { Message } from '../message.ts';
import { answerOf, callOf, messagesOf, post, requestOf, type Changed } from '../posting.ts';
import type { RawClient } from '../raw-client.ts';
import { textOf } from '../reading.ts';
import { eventsOf, isStream } from '../wires/events.ts';
import { headerValue } from '../wires/http-wire.ts';

const MISMATCH = -32_020;

/** Status and code of what a message with other headers is refused with. */
async function refusal(
  client: RawClient,
  message: Message,
  changed: Changed = {},
): Promise<readonly [number, number | undefined]> {
  const response = await post(client, message, changed);
  return [response.status, (await answerOf(response))?.error?.code];
}

/** The text that a tool answers a message with other headers with. */
async function answered(client: RawClient, message: Message, changed: Changed = {}): Promise<string> {
  return textOf((await answerOf(await post(client, message, changed)))?.result ?? {});
}

function base64(value: string): string {
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

export const statelessHttp: Area = (test) => {
  for (const [what, value] of [
    ['missing', undefined],
    ['another', '2025-11-25'],
  ] as const)
    test(`refuses a revision that is ${what} in the header`, ['stateless.version-header'], async ({ client }) => {
      const changed = { 'mcp-protocol-version': value };
      expect(await refusal(client, requestOf(client, 'tools/list'), changed)).toEqual([400, MISMATCH]);
    });

  for (const value of [undefined, '', 'tools/call', 'TOOLS/LIST', 'tools/list,tools/list'])
    test(
      `refuses ${JSON.stringify(value)} for the name of a method`,
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
        `refuses ${JSON.stringify(value)} for the name of what ${method} is about`,
        ['stateless.name-header', 'stateless.header-case'],
        async ({ client }) => {
          expect(await refusal(client, requestOf(client, method, params), { 'mcp-name': value })).toEqual([400, MISMATCH]);
        },
      );

  test('decodes the name of what is asked for', ['stateless.name-encoded'], async ({ client }) => {
    expect(await answered(client, callOf(client, 'echo', { text: 'hello' }), { 'mcp-name': base64('echo') })).toBe('hello');
    const read = requestOf(client, 'resources/read', { uri: 'protocol://item/世界' });
    const { result, error } = (await answerOf(await post(client, read))) ?? {};
    expect(result ?? error).toMatchObject({ contents: [{ text: 'item 世界' }] });
  });

  test('takes names of headers in any case', ['stateless.header-case'], async ({ client }) => {
    const message = callOf(client, 'echo', { text: 'hello' });
    const changed = { 'mcp-method': undefined, 'mcp-name': undefined, 'MCP-METHOD': 'tools/call', 'mCP-nAME': 'echo' };
    expect(await answered(client, message, changed)).toBe('hello');
  });

  const routed = { region: 'Zürich', weight: 42 };
  const mirrored = { 'mcp-param-region': headerValue('Zürich'), 'mcp-param-weight': '42' };

  test('takes arguments that headers repeat', ['stateless.param-encoded'], async ({ client }) => {
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
      `refuses arguments that headers repeat wrongly: ${JSON.stringify(changed)}`,
      ['stateless.param-header'],
      async ({ client }) => {
        expect(await refusal(client, callOf(client, 'routed', routed), { ...mirrored, ...changed })).toEqual([400, MISMATCH]);
      },
    );

  test('compares numbers by their value', ['stateless.param-number'], async ({ client }) => {
    expect(await answered(client, callOf(client, 'routed', routed), { ...mirrored, 'mcp-param-weight': '42.0' })).toBe(
      'Zürich, 42',
    );
  });

  test('expects no header of an argument that is not there', ['stateless.param-absent'], async ({ client }) => {
    expect(await answered(client, callOf(client, 'routed', {}))).toBe('nowhere, 0');
    expect(await answered(client, callOf(client, 'routed', { region: null, weight: null }))).toBe('nowhere, 0');
  });

  for (const method of ['nothing', 'ping', 'logging/setLevel', 'resources/subscribe'])
    test(`does not find the method ${method}`, ['stateless.method-unknown', 'versioning.removed-methods'], async ({ client }) => {
      expect(await refusal(client, requestOf(client, method))).toEqual([404, -32_601]);
    });

  test('refuses a revision it does not have', ['stateless.version-unsupported'], async ({ client }) => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '1999-01-01' };
    expect(await refusal(client, requestOf(client, 'tools/list', { _meta }))).toEqual([400, -32_022]);
  });

  for (const missing of ['protocolVersion', 'clientCapabilities'])
    test(`refuses a request without ${missing}`, ['stateless.envelope'], async ({ client }) => {
      const { [`io.modelcontextprotocol/${missing}`]: _, ..._meta } = client.envelope;
      expect(await refusal(client, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })).toEqual([400, -32_602]);
    });

  test('refuses a request that needs what the client does not have', ['stateless.capability-missing'], async ({ client }) => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': {} };
    expect(await refusal(client, requestOf(client, 'tools/call', { name: 'dream', _meta }))).toEqual([400, -32_021]);
  });

  test('takes a closed stream for a cancellation', ['stateless.disconnect'], async ({ client }) => {
    const key = 'disconnected';
    const leave = new AbortController();
    const response = await post(client, callOf(client, 'wait', { key }, { progressToken: key }), {}, leave.signal);
    await eventsOf(response).next();
    leave.abort();
    expect(textOf(await client.call('moment', { key, moment: 'stopped' }))).toBe('stopped');
  });

  test('neither gives out sessions nor heeds them', ['stateless.no-sessions'], async ({ client }) => {
    const response = await post(client, callOf(client, 'echo', { text: 'hello' }), { 'mcp-session-id': 'mine' });
    expect(response.headers.has('mcp-session-id')).toBe(false);
    expect(textOf((await answerOf(response))?.result ?? {})).toBe('hello');
  });

  test('does not heed where a client was', ['stateless.no-resumption'], async ({ client }) => {
    const message = callOf(client, 'report', { steps: [1] }, { progressToken: 'resumed' });
    const messages = await messagesOf(await post(client, message, { 'last-event-id': '1-1' }));
    expect(messages.map(({ method }) => method)).toEqual(['notifications/progress', undefined]);
  });

  test('tells proxies not to hold a stream back', ['stateless.unbuffered'], async ({ client }) => {
    const response = await post(client, callOf(client, 'report', { steps: [1] }, { progressToken: 'flows' }));
    expect(isStream(response)).toBe(true);
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    await response.body?.cancel();
  });
};
