import { describe, expect, it } from 'vitest';

import {
  HttpClient,
  initialize,
  messageOf,
  notification,
  post,
  postModern,
  request,
  textOf,
  toolCall,
} from '../../support/http/http-client.ts';
import { EventReader } from '../../support/http/event-reader.ts';
import { serve } from '../../support/http/served.ts';

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25'];

async function refusalOf(response: Response): Promise<readonly unknown[]> {
  const { error } = await messageOf(response);
  return [response.status, error?.message];
}

describe('a request', () => {
  it.each(['tools/list', 'ping', 'subscriptions/listen'])('%s without a session is rejected', async (method) => {
    await using served = await serve();
    expect(await refusalOf(await post(served.url, JSON.stringify(request(1, method))))).toEqual([
      400,
      'The Mcp-Session-Id header is missing; initialize a session first',
    ]);
  });

  it('is rejected in a session of another protocol version', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-06-18' });
    for (const revision of ['2025-11-25', '2025-03-26', '2024-11-05', '1999-01-01']) {
      const headers = { 'mcp-protocol-version': revision };
      const answers = [await client.post(request(1, 'ping'), { headers }), await client.get(headers)];
      for (const answer of answers)
        expect(await refusalOf(answer)).toEqual([
          400,
          'The MCP-Protocol-Version header must be 2025-06-18, the version of this session',
        ]);
    }
  });

  it('may omit the protocol version, like clients of 2025-03-26', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-03-26' });
    const response = await post(client.url, JSON.stringify(request(1, 'ping')), {
      headers: { 'mcp-session-id': client.sessionId },
    });
    expect((await messageOf(response)).result).toEqual({});
  });

  it('of 2026-07-28 requires no session, and is not served in a session', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const modern = await messageOf(await postModern(served.url, { method: 'tools/call', params: { name: 'caller' } }));
    expect(JSON.parse(String(textOf(modern)))).toEqual({});
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    const mixed = await client.post(request(1, 'tools/list'), { headers });
    expect([mixed.status, (await messageOf(mixed)).error?.code]).toEqual([400, -32_602]);
  });

  it('is not run if its id is in use, and the first request is answered', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    for (const id of [1, 'one', '']) {
      const first = client.post(toolCall(id, 'wait', { text: 'first' }));
      const { end } = await served.station.calls.next();
      const second = await client.post(toolCall(id, 'wait', { text: 'second' }));
      expect(await refusalOf(second)).toEqual([400, 'A request with this id is in flight']);
      end('the first');
      expect(textOf(await messageOf(await first))).toBe('the first');
    }
    expect(served.station.calls.all.map(({ name }) => name)).toEqual(['first', 'first', 'first']);
  });

  it('may reuse the id of an answered request', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    for (const text of ['a', 'b']) expect(textOf(await messageOf(await client.post(toolCall(1, 'say', { text }))))).toBe(text);
    expect(textOf(await messageOf(await client.post(toolCall('1', 'say', { text: 'c' }))))).toBe('c');
  });
});

describe('initialize', () => {
  it('is rejected the second time in a session', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const again = await client.post(initialize('2025-06-18'));
    expect(await refusalOf(again)).toEqual([400, 'The session is already initialized']);
    expect(await client.call('say', { text: 'still here' })).toBe('still here');
  });

  it('is rejected in a batch', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-03-26' });
    const answers = [await client.post([request(1, 'ping'), initialize('2025-11-25')])];
    answers.push(await post(served.url, JSON.stringify([initialize('2025-03-26')])));
    expect(await Promise.all(answers.map(refusalOf))).toEqual([
      [400, 'initialize must not be part of a batch'],
      [400, 'The Mcp-Session-Id header is missing; initialize a session first'],
    ]);
    expect(served.service.gauges.sessions).toBe(1);
  });

  it('with an unknown protocol version negotiates a supported version', async () => {
    await using served = await serve();
    const response = await post(served.url, JSON.stringify(initialize('1999-01-01')));
    expect(response.headers.get('mcp-session-id')).toMatch(/./);
    expect((await messageOf(response)).result?.['protocolVersion']).toBe('2025-11-25');
  });
});

describe('a batch', () => {
  it('of 2025-03-26 is answered on one stream', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-03-26' });
    const batch = [
      toolCall(1, 'say', { text: 'a' }),
      notification('notifications/unknown'),
      request(2, 'unknown'),
      toolCall(3, 'wait', { text: 'last' }),
    ];
    const posted = client.post(batch);
    const { end } = await served.station.calls.next();
    end('c');
    const messages = await new EventReader(await posted).messages();
    expect(new Set(messages.map(({ id }) => id))).toEqual(new Set([1, 2, 3]));
    expect(messages.find(({ id }) => id === 2)?.error?.code).toBe(-32_601);
  });

  it('of notifications and responses is accepted', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-03-26' });
    const response = await client.post([notification('notifications/a'), { jsonrpc: '2.0', id: 9, result: {} }]);
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it('ends with the remaining requests if some requests are cancelled', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-03-26' });
    const posted = client.post([toolCall(1, 'wait', { text: 'a' }), toolCall(2, 'wait', { text: 'b' })]);
    const [a, b] = [await served.station.calls.next(), await served.station.calls.next()];
    await client.post(notification('notifications/cancelled', { requestId: 1 }));
    await a.aborted;
    b.end('b');
    expect((await new EventReader(await posted).messages()).map(({ id }) => id)).toEqual([2]);
  });

  it.each([
    ['nothing', 0, 'A batch has 1 to 100 messages'],
    ['101 messages', 101, 'A batch has 1 to 100 messages'],
    ['150,000 messages', 150_000, 'A batch has 1 to 100 messages'],
  ])('of %s is rejected', async (_, length, reason) => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-03-26' });
    const response = await client.post(Array.from({ length }, (__, id) => request(id, 'ping')));
    expect(await refusalOf(response)).toEqual([400, reason]);
  });

  it('of 100 messages is served', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-03-26' });
    const response = await client.post(Array.from({ length: 100 }, (_, id) => request(id + 1, 'ping')));
    expect(await new EventReader(response).messages()).toHaveLength(100);
  });

  it.each([
    ['an id twice', [request(1, 'ping'), request(1, 'ping')], 'A request with this id is in flight'],
    ['an invalid message', [request(1, 'ping'), 7], 'A message must be an object'],
    ['a batch', [[request(1, 'ping')]], 'A message must be an object'],
  ])('with %s is rejected, and none of its requests runs', async (_, batch, reason) => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-03-26' });
    expect(await refusalOf(await client.post(batch))).toEqual([400, reason]);
  });

  it.each(REVISIONS.filter((revision) => revision !== '2025-03-26'))('is rejected in a session of %s', async (revision) => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision });
    const refused = await client.post([toolCall(1, 'say', { text: 'x' })]);
    expect(await refusalOf(refused)).toEqual([400, `Batches are not supported in protocol version ${revision}`]);
  });

  it('is not a request of 2026-07-28', async () => {
    await using served = await serve();
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const response = await post(served.url, JSON.stringify([request(1, 'tools/list')]), { headers });
    expect(response.status).toBe(400);
    await response.text();
  });
});

describe('notifications/cancelled', () => {
  it.each(REVISIONS)('ends the POST of the request on %s, and frees its id', async (revision) => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision });
    const quick = client.post(toolCall(1, 'wait', { text: 'quick' }));
    const first = await served.station.calls.next();
    await client.post(notification('notifications/cancelled', { requestId: 1 }));
    await first.aborted;
    const ended = await quick;
    expect(ended.status === 202 || ended.headers.get('content-type') === 'text/event-stream').toBe(true);
    await ended.text();
    const slow = await client.stream(1, 'wait', { text: 'slow' });
    const second = await served.station.calls.next();
    await client.post(notification('notifications/cancelled', { requestId: 1 }));
    await second.aborted;
    expect(await slow.messages()).toEqual([]);
    // The late result of a cancelled call is dropped.
    second.end('late');
    expect(textOf(await messageOf(await client.post(toolCall(1, 'say', { text: 'free' }))))).toBe('free');
  });

  it.each([{}, { requestId: 99 }, { requestId: null }, { requestId: {} }, { requestId: '__proto__' }])(
    'of %j cancels nothing',
    async (params) => {
      await using served = await serve();
      const client = await HttpClient.open(served.url);
      expect((await client.post(notification('notifications/cancelled', params))).status).toBe(202);
      expect(await client.call('say', { text: 'still here' })).toBe('still here');
    },
  );
});
