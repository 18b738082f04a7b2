import { serveHttp } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { answerTo, call, envelope, openSession, RAW_CLIENTS, SESSIONS, type RawClient } from './raw-client.ts';
import { WireServer } from './wire-server.ts';

/** Metadata of a call, with which the server leaves the call to the SDK. */
const BY_SDK = { 'io.modelcontextprotocol/related-task': { taskId: 'none' } };

const CALLS: readonly (readonly [string, object])[] = [
  ['echo', { text: 'as it is' }],
  ['echo', { text: 7 }],
  ['echo', {}],
  ['echo', { text: 'a', other: 'b' }],
  ['large', { size: 100_000 }],
  ['media', {}],
  ['wrong', {}],
  ['ask', {}],
];

/** Sends a request. Resolves to the response without the parts that differ from call to call. */
async function send(client: RawClient, request: { readonly id?: unknown }): Promise<unknown> {
  client.send(request);
  return comparable(await answerTo(client, request.id));
}

/** Removes the parts of a response that differ from call to call. */
function comparable(response: object): unknown {
  return JSON.parse(
    JSON.stringify(response, (key: string, value: unknown) => (['id', 'requestState'].includes(key) ? '' : value)),
  );
}

describe.each(RAW_CLIENTS)('over %s, a call that runs without the SDK', (_, open) => {
  it.each(SESSIONS)('gets the same response as by the SDK in a session of %s', async (revision) => {
    await using client = open();
    await openSession(client, revision);
    for (const [index, [name, args]] of CALLS.entries()) {
      const direct = await send(client, call(`direct-${index}`, name, args));
      expect(direct).toEqual(await send(client, call(`sdk-${index}`, name, args, { _meta: BY_SDK })));
    }
  });

  it('gets the same response as by the SDK on 2026-07-28', async () => {
    await using client = open();
    const { _meta } = envelope();
    await send(client, call('first', 'echo', { text: 'x' }, { _meta }));
    for (const [index, [name, args]] of CALLS.entries()) {
      const direct = await send(client, call(`direct-${index}`, name, args, { _meta }));
      const bySdk = { _meta: { ..._meta, ...BY_SDK } };
      expect(direct).toEqual(await send(client, call(`sdk-${index}`, name, args, bySdk)));
    }
  });
});

/** Posts a call of 2026-07-28. */
async function post(url: string, name: string, args: object, { meta = {}, headers = {} } = {}): Promise<Response> {
  const body = call(1, name, args, { _meta: { ...envelope()._meta, ...meta } });
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

async function read(response: Response): Promise<unknown> {
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: comparable((await response.json()) as object),
  };
}

describe('over HTTP, a call of 2026-07-28 that runs without the SDK', () => {
  it('gets the same response as by the SDK', async () => {
    await using service = await serveHttp({ '/mcp': new WireServer() });
    await (await post(service.url, 'echo', { text: 'x' })).text();
    for (const [name, args] of CALLS) {
      const direct = await read(await post(service.url, name, args));
      expect(direct).toEqual(await read(await post(service.url, name, args, { meta: BY_SDK })));
    }
  });

  it.each([
    ['the revision', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['the method', { 'Mcp-Method': 'tools/list' }],
    ['the tool', { 'Mcp-Name': 'media' }],
  ])('is refused if a header names %s differently from the body', async (_, headers) => {
    await using service = await serveHttp({ '/mcp': new WireServer() });
    await (await post(service.url, 'echo', { text: 'x' })).text();
    const response = await post(service.url, 'echo', { text: 'x' }, { headers });
    expect(response.status).toBe(400);
  });
});
