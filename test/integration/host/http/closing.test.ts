import { describe, expect, it } from 'vitest';

import { EventReader } from '../../support/http/event-reader.ts';
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
import { head, RawConnection, sendRaw, statusOf } from '../../support/http/raw-connection.ts';
import { serve, type Served } from '../../support/http/served.ts';
import type { StationCall } from '../../support/http/station.ts';

/** A grace period that is far longer than any of these tests. */
const LONG = { grace: 60_000 };
const WAIT = { method: 'tools/call', params: { name: 'wait', arguments: { text: 'modern' } } };

/** Closes a service while a call is running. `finish` ends the call, and resolves when the service is closed. */
async function closing(served: Served): Promise<{ readonly closed: Promise<void>; readonly finish: () => Promise<void> }> {
  const client = await HttpClient.open(served.url);
  const call = client.post(toolCall('last', 'wait', { text: 'last' }));
  const { end } = await served.station.calls.next(({ name }) => name === 'last');
  const closed = served.service.close();
  const finish = async (): Promise<void> => {
    end('the last');
    await (await call).text();
    await closed;
  };
  return { closed, finish };
}

/** Resolves to the next calls of `wait`. */
async function next({ station }: Served, count: number): Promise<readonly StationCall[]> {
  const calls: StationCall[] = [];
  while (calls.length < count) calls.push(await station.calls.next());
  return calls;
}

describe('a service that closes', () => {
  it('answers the running calls within the grace period, in both eras', async () => {
    await using served = await serve(LONG);
    const client = await HttpClient.open(served.url);
    const calls = [
      client.post(toolCall('quick', 'wait', { text: 'quick' })),
      postModern(served.url, WAIT),
      client.post(toolCall('slow', 'wait', { text: 'slow' })),
    ];
    const waiting = await next(served, calls.length);
    const slow = new EventReader(await calls[2]!);
    const closed = served.service.close();
    for (const { name, end } of waiting) end(`${name} result`);
    expect(textOf(await slow.message())).toBe('slow result');
    const texts = await Promise.all([calls[0]!, calls[1]!].map(async (call) => (await call).text()));
    expect(texts.map((text) => /(quick|modern) result/.exec(text)?.[0])).toEqual(['quick result', 'modern result']);
    await closed;
  });

  it('aborts calls that take longer, and sends an error for each', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const slow = [client.post(toolCall(1, 'wait', { text: 'session' })), postModern(served.url, { id: 2, ...WAIT })];
    const streams = await Promise.all(slow.map(async (call) => new EventReader(await call)));
    const quick = [client.post(toolCall(3, 'wait', { text: 'session' })), postModern(served.url, { id: 4, ...WAIT })];
    const waiting = await next(served, 4);
    await served.service.close();
    await Promise.all(waiting.map(({ aborted }) => aborted));
    expect(await Promise.all(streams.map((stream) => stream.messages()))).toMatchObject([
      [{ id: 1, error: { code: -32_603, message: 'The session was closed' } }],
      [{ id: 2, error: { code: -32_603, message: 'The server is shutting down' } }],
    ]);
    const answers = await Promise.all(quick.map(async (call) => messageOf(await call)));
    expect(answers).toMatchObject([
      { id: 3, error: { message: 'The session was closed' } },
      { error: { message: 'The server is shutting down' } },
    ]);
  });

  it('rejects new requests while it closes, and reports that it is not ready', async () => {
    await using served = await serve({ ...LONG, sse: true });
    const client = await HttpClient.open(served.url);
    expect((await fetch(`${served.origin}/readyz`)).status).toBe(200);
    const { finish } = await closing(served);
    const refused = [
      await post(served.url, JSON.stringify(initialize('2025-11-25'))),
      await client.post(request(1, 'ping')),
      await client.post([request(1, 'ping')]),
      await postModern(served.url, { method: 'tools/list' }),
      await fetch(`${served.origin}/sse`, { headers: { accept: 'text/event-stream' } }),
    ];
    for (const response of refused) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect((await messageOf(response)).error).toEqual({ code: -32_603, message: 'The server is shutting down' });
    }
    const probes = [await fetch(`${served.origin}/readyz`), await fetch(`${served.origin}/healthz`)];
    expect(await Promise.all(probes.map(async (probe) => [probe.status, await probe.text()]))).toEqual([
      [503, 'closing\n'],
      [200, 'ok\n'],
    ]);
    await finish();
  });

  it('closes connections after their responses', async () => {
    await using served = await serve(LONG);
    using connection = await RawConnection.to(served.url);
    const { finish } = await closing(served);
    connection.write(head('GET /readyz', [`Host: ${served.host}`]));
    expect(await connection.all()).toMatch(/^connection: close$/im);
    await finish();
  });

  it('still accepts responses and cancellations for running calls', async () => {
    await using served = await serve(LONG);
    const client = await HttpClient.open(served.url, { capabilities: { elicitation: {} } });
    const asking = await client.stream('asking', 'ask');
    const { id } = await asking.message();
    const cancelled = await client.stream('cancelled', 'wait', { text: 'x' });
    const { aborted } = await served.station.calls.next();
    const closed = served.service.close();
    await client.post({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } });
    expect(textOf(await asking.message())).toBe('Hello Ada');
    await client.post(notification('notifications/cancelled', { requestId: 'cancelled' }));
    await aborted;
    expect(await cancelled.messages()).toEqual([]);
    await closed;
  });

  it('lets a client reconnect for a result while it closes', async () => {
    await using served = await serve(LONG);
    const client = await HttpClient.open(served.url);
    const gone = new AbortController();
    const stream = await client.stream('lost', 'wait', { text: 'lost' }, { signal: gone.signal });
    const { end } = await served.station.calls.next();
    await stream.next();
    gone.abort();
    const closed = served.service.close();
    const again = await client.resume(stream.lastEventId);
    end('found');
    expect(textOf(await again.message())).toBe('found');
    await closed;
  });

  it('ends the streams of sessions, and closes idle connections', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const stream = await client.listen();
    using silent = await RawConnection.to(served.url);
    using idle = await RawConnection.to(served.url);
    idle.write(head('GET /healthz', [`Host: ${served.host}`]));
    await idle.until(/ok\n/);
    await served.service.close();
    expect(await stream.messages()).toEqual([]);
    await Promise.all([silent.closed, idle.closed]);
    await expect(RawConnection.to(served.url)).rejects.toThrow(/ECONNREFUSED/);
    expect(served.service.gauges).toMatchObject({ sessions: 0, listenStreams: 0, storedEvents: 0 });
  });

  it('does not truncate a response that the client is reading', async () => {
    await using served = await serve({ maxBody: 32 * 1024 ** 2 });
    const text = 'x'.repeat(8 * 1024 ** 2);
    const client = await HttpClient.open(served.url);
    const response = await client.post(toolCall(1, 'say', { text }));
    const reader = response.body!.getReader();
    let length = (await reader.read()).value?.length ?? 0;
    const closed = served.service.close();
    for (let read = await reader.read(); !read.done; read = await reader.read()) length += read.value.length;
    expect(length).toBeGreaterThan(text.length);
    await closed;
  });

  it('closes idle connections immediately, and does not wait long for a client that does not read', async () => {
    await using served = await serve({ maxBody: 64 * 1024 ** 2 });
    const client = await HttpClient.open(served.url);
    const response = await client.post(toolCall(1, 'say', { text: 'x'.repeat(48 * 1024 ** 2) }));
    using silent = await RawConnection.to(served.url);
    const order: string[] = [];
    const closed = [silent.closed.then(() => order.push('silent')), served.service.close().then(() => order.push('service'))];
    await closed[0];
    expect(order).toEqual(['silent']);
    await Promise.all(closed);
    await expect(response.text()).rejects.toThrow(/terminated/);
  });

  it('may be closed twice', async () => {
    await using served = await serve();
    expect(served.service.close()).toBe(served.service.close());
    await served.service.close();
    await served.service.close();
  });

  it('rejects a body that arrives too late', async () => {
    await using served = await serve(LONG);
    const body = JSON.stringify(initialize('2025-11-25'));
    using connection = await RawConnection.to(served.url);
    const headers = [`Host: ${served.host}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
    connection.write(head('POST /mcp', headers));
    const { finish } = await closing(served);
    connection.write(body);
    expect(statusOf(await connection.all())).toBe(503);
    await finish();
    expect(served.service.gauges.sessions).toBe(0);
  });
});

describe('probes', () => {
  it('accept every Host header, but their responses are not readable for pages of other origins', async () => {
    await using served = await serve();
    for (const path of ['/healthz', '/readyz']) {
      const answer = await sendRaw(served.url, head(`GET ${path}`, ['Host: 10.0.0.7', 'Origin: http://attacker.example']));
      expect(statusOf(answer)).toBe(200);
      expect(answer).not.toMatch(/access-control/i);
      expect(statusOf(await sendRaw(served.url, head(`HEAD ${path}`, ['Host: 10.0.0.7'])))).toBe(200);
    }
  });
});
