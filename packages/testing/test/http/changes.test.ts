import { Changes } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { EventReader } from './event-reader.ts';
import { HttpClient, messageOf, postModern, request } from './http-client.ts';
import { serve, type Served } from './served.ts';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const UPDATED = 'notifications/resources/updated';
const LISTEN = 'subscriptions/listen';

function listening(notifications: object): { readonly id: string; readonly method: string; readonly params: object } {
  return { id: 'stream', method: LISTEN, params: { notifications } };
}

async function listen({ url }: Served, notifications: object, signal?: AbortSignal): Promise<EventReader> {
  return new EventReader(await postModern(url, listening(notifications), signal === undefined ? {} : { signal }));
}

describe('a stream of changes on 2026-07-28', () => {
  it('acknowledges what can be watched and nothing else, and brings the changes of that', async () => {
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
    Changes.of(served.station).publish({ kind: 'tools_list_changed' });
    expect((await stream.message()).method).toBe('notifications/tools/list_changed');
    expect(served.service.gauges.listenStreams).toBe(1);
  });

  it('releases what it watched when its client goes', async () => {
    await using served = await serve();
    const gone = new AbortController();
    const stream = await listen(served, { resourceSubscriptions: ['station://a'] }, gone.signal);
    await stream.message();
    gone.abort();
    expect(await served.station.stopped.next()).toBe('station://a');
    await expect.poll(() => served.service.gauges.listenStreams).toBe(0);
    expect(served.station.subscriptions).toBe(0);
  });

  it('is never opened for a client that went before it was', async () => {
    await using served = await serve();
    const started = served.station.holdWatchers();
    const gone = new AbortController();
    const lost = listen(served, { resourceSubscriptions: ['station://a'] }, gone.signal).catch(() => 'lost');
    await served.station.started.next();
    gone.abort();
    expect(await lost).toBe('lost');
    const client = await HttpClient.open(served.url);
    // By then the server knows.
    expect(await client.call('say', { text: 'x' })).toBe('x');
    started();
    expect(await served.station.stopped.next()).toBe('station://a');
    await expect.poll(() => served.service.gauges.listenStreams).toBe(0);
  });

  it('has room for as many as it is told, and watches nothing for one more', async () => {
    await using served = await serve({ maxListeners: 1 });
    const filter = { resourceSubscriptions: ['station://a'] };
    const gone = new AbortController();
    const first = await listen(served, filter, gone.signal);
    await first.message();
    const refused = await postModern(served.url, listening({ resourceSubscriptions: ['station://b'] }));
    expect([refused.status, refused.headers.get('retry-after'), (await messageOf(refused)).error?.message]).toEqual([
      503,
      '60',
      '1 streams of changes are open, as many as there may be; try again later',
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
  ])('with %s watches nothing', async (_, { params }) => {
    await using served = await serve();
    const notifications = { resourceSubscriptions: ['station://a'] };
    const response = await postModern(served.url, { method: LISTEN, params: { ...params, notifications } });
    expect(response.status).toBe(400);
    await response.text();
    expect([served.station.started.all, served.service.gauges.listenStreams]).toEqual([[], 0]);
  });

  it('is told by its result that the server ends it', async () => {
    await using served = await serve();
    const stream = await listen(served, { resourceSubscriptions: ['station://a'] });
    await stream.message();
    await served.service.close();
    expect(await stream.messages()).toMatchObject([{ id: 'stream', result: { resultType: 'complete' } }]);
    expect(served.station.watched).toEqual([]);
  });
});

describe('a subscription of a session', () => {
  it('brings its updates on the stream of what belongs to no request, and no others', async () => {
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

  it('shares its watcher with streams of the other era', async () => {
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
