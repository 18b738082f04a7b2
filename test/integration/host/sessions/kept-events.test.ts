import { describe, expect, it } from 'vitest';

import { EventReader } from '../../support/http/event-reader.ts';
import { HttpClient, idsOf, reporting, textOf, toolCall } from '../../support/http/http-client.ts';
import { head, RawConnection } from '../../support/http/raw-connection.ts';
import { serve, type Served } from '../../support/http/served.ts';

describe('the events that are kept for a client that reconnects', () => {
  it('are the last 1,000 events of a session', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const stream = await client.stream(1, 'wait', { text: 'x' });
    const { context, end } = await served.station.calls.next();
    for (let time = 1; time <= 1500; time += 1) context.log.info(`${time}`);
    end('the result');
    const all = await stream.rest();
    // The first event contains the id for reconnecting, and the last event is the result.
    expect(all).toHaveLength(1502);
    expect(served.service.gauges.storedEvents).toBe(1000);
    const kept = await (await client.resume('2-0')).rest();
    expect(idsOf(kept)).toEqual(idsOf(all.slice(-1000)));
  });

  it('are the latest events of all sessions together that fit into the buffer', async () => {
    await using served = await serve({ eventBuffer: 10_000 });
    const clients = [await HttpClient.open(served.url), await HttpClient.open(served.url)];
    const streams = [];
    for (const client of clients) streams.push(await (await client.post(reporting(1, 100))).text());
    const { storedEvents } = served.service.gauges;
    expect(storedEvents).toBeGreaterThan(10);
    expect(storedEvents * (streams.join().length / 220)).toBeLessThan(12_000);
    // The events of the first session were dropped first.
    expect(await (await clients[0]!.resume('2-1')).messages()).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'The response is no longer available' } },
    ]);
    expect((await clients[0]!.get({ 'last-event-id': '2-201' })).status).toBe(204);
    expect((await (await clients[1]!.resume('2-1')).messages()).at(-1)?.id).toBe(1);
  });

  it('are not needed for events that are written immediately', async () => {
    await using served = await serve({ eventBuffer: 0 });
    const client = await HttpClient.open(served.url);
    const messages = await new EventReader(await client.post(reporting(1, 3))).messages();
    expect(messages.at(-1)?.id).toBe(1);
    expect(messages.length).toBeGreaterThan(3);
    expect(served.service.gauges.storedEvents).toBe(0);
  });

  it('are dropped with the session', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await (await client.post(reporting(1, 100))).text();
    expect(served.service.gauges.storedEvents).toBeGreaterThan(100);
    await client.end();
    expect(served.service.gauges.storedEvents).toBe(0);
  });
});

describe('a client that stops reading', () => {
  const LINE = 'x'.repeat(1024 * 1024);

  it('is disconnected if too much is unread, and receives the rest when it reconnects', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    using connection = await stalledCall(served, client);
    const { context, end } = await served.station.calls.next();
    for (let time = 1; time <= 40; time += 1) context.log.info(LINE);
    end('the result');
    connection.socket.resume();
    const received = await connection.all();
    expect(received).not.toContain('the result');
    const last = [...received.matchAll(/^id: (\S+)\r?$/gm)].at(-1)?.[1];
    const messages = await (await client.resume(last)).messages();
    expect(textOf(messages.at(-1)!)).toBe('the result');
    // After the client has resumed the stream, the large events are written only as fast as it reads, so it is not disconnected
    // again.
    expect(messages.length).toBeGreaterThan(20);
  });

  it('may receive an event that is larger than the limit for unread data', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const stream = await client.stream(1, 'wait', { text: 'x' });
    const { context, end } = await served.station.calls.next();
    context.log.info(LINE.repeat(20));
    expect((await stream.message()).method).toBe('notifications/message');
    end('the result');
    expect((await stream.message()).id).toBe(1);
  });
});

/** Starts a call of `wait` that answers with a stream, and stops reading after the first event of the stream. */
async function stalledCall({ url, host }: Served, { headers }: HttpClient): Promise<RawConnection> {
  const body = JSON.stringify(toolCall(1, 'wait', { text: 'x' }));
  const given = { ...headers, host, 'content-type': 'application/json', 'content-length': `${body.length}` };
  const connection = await RawConnection.to(url);
  connection.write(
    head(
      'POST /mcp',
      Object.entries(given).map(([name, value]) => `${name}: ${value}`),
    ) + body,
  );
  await connection.until(/retry: 500/);
  connection.socket.pause();
  return connection;
}
