import { ChangeBus } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { EventReader } from '../../support/http/event-reader.ts';
import { HttpClient, messageOf, postModern, request } from '../../support/http/http-client.ts';
import { serve, type Served } from '../../support/http/served.ts';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const UPDATED = 'notifications/resources/updated';
const LISTEN = 'subscriptions/listen';

function listening(notifications: object): { readonly id: string; readonly method: string; readonly params: object } {
  return { id: 'stream', method: LISTEN, params: { notifications } };
}

async function listen({ url }: Served, notifications: object, signal?: AbortSignal): Promise<EventReader> {
  return new EventReader(await postModern(url, listening(notifications), signal === undefined ? {} : { signal }));
}

describe('a listen stream on 2026-07-28', () => {
  it('acknowledges only resources that can be watched, and sends their changes', async () => {
    await using served = await serve();
    const uris = ['station://a', 'file:///etc/passwd', 'station://b', 'station://a'];
    await using stream = await listen(served, { resourceSubscriptions: uris, toolsListChanged: true });
    const { method, params } = await stream.message();
    expect([method, params?.['notifications']]).toEqual([
      ACKNOWLEDGED,
      { toolsListChanged: true, resourceSubscriptions: ['station://a', 'station://b'] },
    ]);
    expect(served.station.watched).toEqual(['station://a', 'station://b']);
    served.station.change('station://b');
    expect(await stream.message()).toMatchObject({ method: UPDATED, params: { uri: 'station://b' } });
    ChangeBus.of(served.station).publish({ kind: 'tools_list_changed' });
    expect((await stream.message()).method).toBe('notifications/tools/list_changed');
    expect(served.service.gauges.listenStreams).toBe(1);
  });

  it('releases its watches when its client disconnects', async () => {
    await using served = await serve();
    const gone = new AbortController();
    const stream = await listen(served, { resourceSubscriptions: ['station://a'] }, gone.signal);
    await stream.message();
    gone.abort();
    expect(await served.station.stopped.next()).toBe('station://a');
    await expect.poll(() => served.service.gauges.listenStreams).toBe(0);
    expect(served.station.subscriptions).toBe(0);
  });

  it('is not opened for a client that has already disconnected', async () => {
    await using served = await serve();
    const started = served.station.holdWatchers();
    const gone = new AbortController();
    const lost = listen(served, { resourceSubscriptions: ['station://a'] }, gone.signal).catch(() => 'lost');
    await served.station.started.next();
    gone.abort();
    expect(await lost).toBe('lost');
    const client = await HttpClient.open(served.url);
    // This call gives the server time to notice that the first client has disconnected.
    expect(await client.call('say', { text: 'x' })).toBe('x');
    started();
    expect(await served.station.stopped.next()).toBe('station://a');
    await expect.poll(() => served.service.gauges.listenStreams).toBe(0);
  });

  it('is accepted up to the maximum number of streams, and a further stream watches nothing', async () => {
    await using served = await serve({ maxListeners: 1 });
    const filter = { resourceSubscriptions: ['station://a'] };
    const gone = new AbortController();
    const first = await listen(served, filter, gone.signal);
    await first.message();
    const refused = await postModern(served.url, listening({ resourceSubscriptions: ['station://b'] }));
    expect([refused.status, refused.headers.get('retry-after'), (await messageOf(refused)).error?.message]).toEqual([
      503,
      '60',
      'The maximum of 1 listen streams is reached; try again later',
    ]);
    expect(served.station.started.all).toEqual(['station://a']);
    gone.abort();
    await expect.poll(() => served.service.gauges.listenStreams).toBe(0);
    await using second = await listen(served, filter);
    expect((await second.message()).method).toBe(ACKNOWLEDGED);
  });

  it.each([
    ['a malformed envelope', { params: { notifications: {}, _meta: { 'io.modelcontextprotocol/clientInfo': 7 } } }],
    ['another revision', { params: { notifications: {}, _meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } } }],
  ])('watches nothing with %s', async (_, { params }) => {
    await using served = await serve();
    const notifications = { resourceSubscriptions: ['station://a'] };
    const response = await postModern(served.url, { method: LISTEN, params: { ...params, notifications } });
    expect(response.status).toBe(400);
    await response.text();
    expect([served.station.started.all, served.service.gauges.listenStreams]).toEqual([[], 0]);
  });

  it('ends with a result when the server ends it', async () => {
    await using served = await serve();
    const stream = await listen(served, { resourceSubscriptions: ['station://a'] });
    await stream.message();
    await served.service.close();
    expect(await stream.messages()).toMatchObject([{ id: 'stream', result: { resultType: 'complete' } }]);
    expect(served.station.watched).toEqual([]);
  });
});

describe('a subscription of a session', () => {
  it('sends its updates on the standalone GET stream, and no others', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await using stream = await client.listen();
    const answer = await messageOf(await client.post(request(1, 'resources/subscribe', { uri: 'station://a' })));
    expect(answer.result).toEqual({});
    const other = await HttpClient.open(served.url);
    await other.post(request(1, 'resources/subscribe', { uri: 'station://b' }));
    served.station.change('station://b');
    served.station.change('station://a');
    expect(await stream.message()).toMatchObject({ method: UPDATED, params: { uri: 'station://a' } });
  });

  it('ends with the session, and with unsubscribe', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    for (const uri of ['station://a', 'station://b']) await client.post(request(uri, 'resources/subscribe', { uri }));
    await client.post(request(1, 'resources/unsubscribe', { uri: 'station://a' }));
    expect(served.station.watched).toEqual(['station://b']);
    await client.end();
    expect([served.station.watched, served.station.subscriptions]).toEqual([[], 0]);
  });

  it('shares its watcher with listen streams of 2026-07-28', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await using session = await client.listen();
    await client.post(request(1, 'resources/subscribe', { uri: 'station://a' }));
    await using stream = await listen(served, { resourceSubscriptions: ['station://a'] });
    await stream.message();
    served.station.change('station://a');
    expect([(await session.message()).method, (await stream.message()).method]).toEqual([UPDATED, UPDATED]);
    expect(served.station.started.all).toEqual(['station://a']);
  });
});
