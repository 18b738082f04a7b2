import { describe, expect, it } from 'vitest';

import { EventReader } from './event-reader.ts';
import { HttpClient, idsOf, reporting, textOf, toolCall } from './http-client.ts';
import { head, RawConnection } from './raw-connection.ts';
import { serve, type Served } from './served.ts';

describe('what is kept for a client that comes back', () => {
  it('are the last 1,000 events of a session', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const stream = await client.stream(1, 'wait', { text: 'x' });
    const { context, end } = await served.station.calls.next();
    for (let time = 1; time <= 1500; time += 1) context.log.info(`${time}`);
    end('the result');
    const all = await stream.rest();
    // The first tells where to come back to, the last is the result.
    expect(all).toHaveLength(1502);
    expect(served.service.gauges.storedEvents).toBe(1000);
    const kept = await (await client.resume('2-0')).rest();
    expect(idsOf(kept)).toEqual(idsOf(all.slice(-1000)));
  });

  it('are the last events of all sessions together, as many as the buffer holds', async () => {
    await using served = await serve({ eventBuffer: 10_000 });
    const clients = [await HttpClient.open(served.url), await HttpClient.open(served.url)];
    const streams = [];
    for (const client of clients) streams.push(await (await client.post(reporting(1, 100))).text());
    const { storedEvents } = served.service.gauges;
    expect(storedEvents).toBeGreaterThan(10);
    expect(storedEvents * (streams.join().length / 220)).toBeLessThan(12_000);
    // Those of the first went first.
    expect(await (await clients[0]!.resume('2-1')).messages()).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'The answer is not kept any more' } },
    ]);
    expect((await clients[0]!.get({ 'last-event-id': '2-201' })).status).toBe(204);
    expect((await (await clients[1]!.resume('2-1')).messages()).at(-1)?.id).toBe(1);
  });

  it('may be nothing: what is written at once is not lost', async () => {
    await using served = await serve({ eventBuffer: 0 });
    const client = await HttpClient.open(served.url);
    const messages = await new EventReader(await client.post(reporting(1, 3))).messages();
    expect(messages.at(-1)?.id).toBe(1);
    expect(messages.length).toBeGreaterThan(3);
    expect(served.service.gauges.storedEvents).toBe(0);
  });

  it('is dropped with the session', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await (await client.post(reporting(1, 100))).text();
    expect(served.service.gauges.storedEvents).toBeGreaterThan(100);
    await client.end();
    expect(served.service.gauges.storedEvents).toBe(0);
  });
});

describe('a reader that stalls', () => {
  const LINE = 'x'.repeat(1024 * 1024);

  it('is disconnected when too much is unread, and gets the rest when it comes back', async () => {
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
    // It is written no faster than it is read, and not broken off for that.
    expect(messages.length).toBeGreaterThan(20);
  });

  it('may be given an event that is larger than what may be unread', async () => {
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

/** A call of `wait` that answers by a stream, of which nothing is read. */
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
