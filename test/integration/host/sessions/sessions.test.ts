import { describe, expect, it } from 'vitest';

import { EventReader } from '../../support/http/event-reader.ts';
import {
  HttpClient,
  initialize,
  messageOf,
  notification,
  post,
  request,
  textOf,
  toolCall,
} from '../../support/http/http-client.ts';
import { bearer, ByName, serve } from '../../support/http/served.ts';

const UPDATE = 'notifications/resources/updated';

async function refusalOf(response: Response): Promise<readonly unknown[]> {
  const { error } = await messageOf(response);
  return [response.status, error?.code, error?.message];
}

const UNKNOWN = [404, -32_001, 'Unknown session; initialize a new one'];

describe('a session', () => {
  it.each([
    ['a POST', async (client: HttpClient) => client.post(request(1, 'ping'))],
    ['a GET', async (client: HttpClient) => client.get()],
    ['a resumption', async (client: HttpClient) => client.get({ 'last-event-id': '0-0' })],
    ['a DELETE', async ({ url, headers }: HttpClient) => fetch(url, { method: 'DELETE', headers })],
  ])('does not exist for a principal other than its owner: %s', async (_, ask) => {
    await using served = await serve({ authenticator: new ByName() });
    const ada = await HttpClient.open(served.url, { headers: bearer('ada') });
    const eve = { ...bearer('eve'), 'mcp-session-id': ada.sessionId, 'mcp-protocol-version': '2025-11-25' };
    const stolen = Object.assign(Object.create(ada), { headers: eve });
    const unknown = Object.assign(Object.create(ada), { headers: { ...eve, 'mcp-session-id': 'unknown' } });
    expect([await refusalOf(await ask(stolen)), await refusalOf(await ask(unknown))]).toEqual([UNKNOWN, UNKNOWN]);
    expect(await ada.call('say', { text: 'mine' })).toBe('mine');
  });

  it('passes the principal of the token to the methods', async () => {
    await using served = await serve({ authenticator: new ByName() });
    const ada = await HttpClient.open(served.url, { headers: bearer('ada') });
    expect(JSON.parse(String(await ada.call('caller')))).toEqual({ client: 'ada', session: ada.sessionId });
  });

  it('has an id that cannot be guessed', async () => {
    await using served = await serve();
    const clients = await Promise.all(Array.from({ length: 20 }, () => HttpClient.open(served.url)));
    const ids = clients.map(({ sessionId }) => sessionId);
    expect(new Set(ids).size).toBe(20);
    // A UUID of version 4 has 122 random bits.
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('is unknown to every request after DELETE', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    expect(await client.end()).toBe(200);
    const after = [await client.post(request(1, 'ping')), await client.get(), await client.post(notification('notifications/x'))];
    for (const response of after) expect(await refusalOf(response)).toEqual(UNKNOWN);
    expect(await client.end()).toBe(404);
    expect(served.service.gauges).toMatchObject({ sessions: 0, listenStreams: 0, storedEvents: 0 });
  });

  it('aborts its calls at DELETE, and sends an error for each', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const quick = client.post(toolCall(1, 'wait', { text: 'quick' }));
    const { aborted } = await served.station.calls.next();
    expect(await client.end()).toBe(200);
    expect((await messageOf(await quick)).error).toEqual({ code: -32_603, message: 'The session was closed' });
    await aborted;
  });

  it('ends its streams at DELETE', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const standalone = await client.listen();
    const call = await client.stream('slow', 'wait', { text: 'slow' });
    expect(await client.end()).toBe(200);
    expect(await standalone.messages()).toEqual([]);
    expect(await call.messages()).toMatchObject([{ id: 'slow', error: { code: -32_603 } }]);
  });

  it('receives no messages of another session', async () => {
    await using served = await serve();
    const [one, other] = [await HttpClient.open(served.url), await HttpClient.open(served.url)];
    const streams = [await one.listen(), await other.listen()];
    await one.post(request(1, 'resources/subscribe', { uri: 'station://one' }));
    await other.post(request(1, 'resources/subscribe', { uri: 'station://other' }));
    served.station.change('station://one');
    served.station.change('station://other');
    // Both sessions use the same request id.
    const [first, second] = await Promise.all(
      [one, other].map(async (client, index) => messageOf(await client.post(toolCall(2, 'say', { text: `${index}` })))),
    );
    expect([textOf(first!), textOf(second!)]).toEqual(['0', '1']);
    expect(await Promise.all(streams.map((stream) => stream.message()))).toMatchObject([
      { method: UPDATE, params: { uri: 'station://one' } },
      { method: UPDATE, params: { uri: 'station://other' } },
    ]);
    expect(await Promise.all([one.end(), other.end()])).toEqual([200, 200]);
    expect(await Promise.all(streams.map((stream) => stream.messages()))).toEqual([[], []]);
  });

  it('cannot have its requests cancelled by another session', async () => {
    await using served = await serve();
    const [one, other] = [await HttpClient.open(served.url), await HttpClient.open(served.url)];
    const waiting = one.post(toolCall(1, 'wait', { text: 'x' }));
    const { end, context } = await served.station.calls.next();
    await other.post(notification('notifications/cancelled', { requestId: 1 }));
    expect(context.signal.aborted).toBe(false);
    end('not cancelled');
    expect(textOf(await messageOf(await waiting))).toBe('not cancelled');
  });
});

describe('the session limit', () => {
  it('rejects a new session until another session ends, and returns when to retry', async () => {
    await using served = await serve({ maxSessions: 2, sse: true });
    const first = await HttpClient.open(served.url);
    // Sessions of 2024-11-05 count as well.
    await using sse = new EventReader(await fetch(`${served.origin}/sse`, { headers: { accept: 'text/event-stream' } }));
    await sse.next();
    const refused = await post(served.url, JSON.stringify(initialize('2025-11-25')));
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await refusalOf(refused)).toEqual([503, -32_603, 'The maximum of 2 sessions is reached; try again later']);
    expect((await fetch(`${served.origin}/sse`, { headers: { accept: 'text/event-stream' } })).status).toBe(503);
    await first.end();
    await HttpClient.open(served.url);
    expect(served.service.gauges.sessions).toBe(2);
  });

  it('is not exceeded by concurrent requests', async () => {
    await using served = await serve({ maxSessions: 3 });
    const body = JSON.stringify(initialize('2025-11-25'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(served.url, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(17);
    expect(served.service.gauges.sessions).toBe(3);
  });

  it('does not count failed attempts to open a session', async () => {
    await using served = await serve({ maxSessions: 1 });
    const bodies = [
      { jsonrpc: '1.0', id: 1, method: 'initialize' },
      { jsonrpc: '2.0', method: 'initialize' },
      { jsonrpc: '2.0', id: null, method: 'initialize' },
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 7 } },
      [initialize('2025-03-26')],
    ];
    for (const body of bodies) {
      const response = await post(served.url, JSON.stringify(body));
      await response.text();
      expect(response.headers.has('mcp-session-id')).toBe(false);
    }
    expect(served.service.gauges.sessions).toBe(0);
    await HttpClient.open(served.url);
  });
});

describe('the requests of a session', () => {
  it('are at most 1,000 at a time for all clients together', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-03-26' });
    const batch = (from: number): object[] =>
      Array.from({ length: 100 }, (_, place) => toolCall(from + place, 'wait', { text: `${from + place}` }));
    for (let from = 0; from < 1000; from += 100) {
      const gone = new AbortController();
      await client.post(batch(from), { signal: gone.signal });
      gone.abort();
    }
    const refused = await client.post(toolCall('more', 'say', { text: 'x' }));
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refusalOf(refused)).toEqual([
      429,
      -32_600,
      'A session has at most 1000 requests in flight; try again when some are answered',
    ]);
    expect(await (await HttpClient.open(served.url)).call('say', { text: 'another' })).toBe('another');
    await (await client.post(notification('notifications/cancelled', { requestId: 0 }))).text();
    expect(await client.call('say', { text: 'room' })).toBe('room');
  });
});

describe('an idle session', () => {
  // The idle time in milliseconds is long enough for a request to follow the previous one, even on a busy machine.
  const IDLE = { sessionIdle: 1000, pingInterval: 0 };

  it('is closed, and its watches are released', async () => {
    await using served = await serve(IDLE);
    const client = await HttpClient.open(served.url);
    await client.post(request(1, 'resources/subscribe', { uri: 'station://a' }));
    expect(await served.station.stopped.next()).toBe('station://a');
    expect(await refusalOf(await client.post(request(2, 'ping')))).toEqual(UNKNOWN);
    expect([served.service.gauges.sessions, served.station.subscriptions]).toEqual([0, 0]);
  });

  it('is not a session whose client waits for a result', async () => {
    await using served = await serve(IDLE);
    const waiting = await HttpClient.open(served.url);
    const call = await waiting.stream('slow', 'wait', { text: 'slow' });
    const { end } = await served.station.calls.next();
    await HttpClient.open(served.url);
    // When one session is left, the other session is closed, although it was used later than the session that waits.
    await expect.poll(() => served.service.gauges.sessions, { timeout: 10_000 }).toBe(1);
    end('the result');
    expect(textOf(await call.message())).toBe('the result');
  });

  it('is also a session with a running call whose client has disconnected: the call is aborted', async () => {
    await using served = await serve(IDLE);
    const client = await HttpClient.open(served.url);
    const gone = new AbortController();
    const call = await client.stream('slow', 'wait', { text: 'slow' }, { signal: gone.signal });
    const { aborted } = await served.station.calls.next();
    gone.abort();
    await expect(call.rest()).rejects.toThrow(/aborted/);
    await aborted;
    await expect.poll(() => served.service.gauges.sessions, { timeout: 10_000 }).toBe(0);
  });
});

describe('a silent session that listens', () => {
  const PING = { sessionIdle: 60_000, pingInterval: 50 };

  it.each([
    ['a result', { result: {} }],
    ['an error', { error: { code: -32_601, message: 'Method not found' } }],
  ])('is pinged, and stays when it answers with %s', async (_, answer) => {
    await using served = await serve(PING);
    const client = await HttpClient.open(served.url);
    await using stream = await client.listen();
    for (let round = 0; round < 3; round += 1) {
      const { id, method } = await stream.message();
      expect(method).toBe('ping');
      expect((await client.post({ jsonrpc: '2.0', id, ...answer })).status).toBe(202);
    }
    expect(await client.call('say', { text: 'still here' })).toBe('still here');
  });

  it('is pinged before it would be closed for being idle', async () => {
    await using served = await serve({ sessionIdle: 1000, pingInterval: 60_000 });
    const client = await HttpClient.open(served.url);
    await using stream = await client.listen();
    for (let round = 0; round < 3; round += 1) {
      const { id, method } = await stream.message();
      expect(method).toBe('ping');
      await client.post({ jsonrpc: '2.0', id, result: {} });
    }
  });

  it('is closed when it does not answer', async () => {
    await using served = await serve(PING);
    const client = await HttpClient.open(served.url);
    const stream = await client.listen();
    expect((await stream.message()).method).toBe('ping');
    // The client is pinged once, and the ping fails after the time limit.
    expect(await stream.messages()).toMatchObject([{ method: 'notifications/cancelled' }]);
    expect(await refusalOf(await client.get())).toEqual(UNKNOWN);
  });

  it('is not pinged without a listener', async () => {
    await using served = await serve(PING);
    const [listening, deaf] = [await HttpClient.open(served.url), await HttpClient.open(served.url)];
    await deaf.post(request(1, 'resources/subscribe', { uri: 'station://a' }));
    await using stream = await listening.listen();
    for (let round = 0; round < 2; round += 1) {
      const { id } = await stream.message();
      await listening.post({ jsonrpc: '2.0', id, result: {} });
    }
    await using late = await deaf.listen();
    served.station.change('station://a');
    expect((await late.message()).method).toBe(UPDATE);
  });
});
