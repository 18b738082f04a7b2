import { describe, expect, it } from 'vitest';

import {
  HttpClient,
  initialize,
  messageOf,
  notification,
  post,
  postModern,
  request,
  toolCall,
} from '../../support/http/http-client.ts';
import { serve } from '../../support/http/served.ts';

describe('an Accept header', () => {
  it.each([
    ['application/json, text/event-stream', 200],
    ['text/event-stream;q=0.5, application/json;q=1', 200],
    ['Application/JSON, Text/Event-Stream', 200],
    ['application/*, text/*', 200],
    ['*/*', 200],
    ['application/json', 406],
    ['text/event-stream', 406],
    ['application/json-seq, text/event-stream', 406],
    ['text/html', 406],
  ])('%j of a POST results in status %i', async (accept, status) => {
    await using served = await serve();
    const response = await post(served.url, JSON.stringify(initialize('2025-11-25')), { headers: { accept } });
    expect(response.status).toBe(status);
    await response.text();
  });

  it('of a GET must include event streams', async () => {
    await using served = await serve({ sse: true });
    const client = await HttpClient.open(served.url);
    const statuses = [];
    for (const url of [served.url, `${served.origin}/sse`]) {
      const response = await fetch(url, { headers: { ...client.headers, accept: 'image/png, application/json' } });
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses).toEqual([406, 406]);
    expect(served.service.gauges.sessions).toBe(1);
  });
});

describe('a rejected HTTP request', () => {
  it('returns a JSON-RPC error without an id, which clients of every revision can read', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const refused = [
      await post(served.url, JSON.stringify(toolCall(7, 'say'))),
      await client.post(request(7, 'ping'), { headers: { 'mcp-protocol-version': '2025-03-26' } }),
      await fetch(`${served.origin}/unknown`),
      await fetch(served.url, { method: 'PUT' }),
      await postModern(served.url, { id: 7, method: 'tools/list' }, { headers: { 'content-type': 'text/plain' } }),
    ];
    for (const response of refused) {
      expect(response.headers.get('content-type')).toBe('application/json');
      const message = await messageOf(response);
      expect(Object.keys(message)).toEqual(['jsonrpc', 'error']);
      // The protocol defines no code of its own for these errors, so all have the code of an invalid request.
      expect(message.error).toEqual({ code: -32_600, message: expect.any(String) });
    }
  });

  it('reports the reason for a notification too', async () => {
    await using served = await serve();
    const response = await post(served.url, JSON.stringify(notification('notifications/initialized')));
    expect([response.status, (await messageOf(response)).error?.message]).toEqual([
      400,
      'The Mcp-Session-Id header is missing; initialize a session first',
    ]);
  });

  it('is reported to the client and not logged', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const call = { method: 'tools/call', params: { name: 'say', arguments: { text: 'x' } } };
    const statuses = [
      await postModern(served.url, call, { headers: { 'mcp-name': 'another' } }),
      await postModern(served.url, call, { headers: { 'mcp-method': 'another' } }),
      await postModern(served.url, call, { headers: { 'mcp-protocol-version': '2025-11-25' } }),
      await postModern(served.url, { ...call, params: { ...call.params, _meta: { 'io.modelcontextprotocol/clientInfo': 7 } } }),
      await post(served.url, '{"hello":"world"}'),
      await client.post({ hello: 'world' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400]);
    expect(served.errors).not.toHaveBeenCalled();
  });
});
