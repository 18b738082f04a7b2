import { describe, expect, it } from 'vitest';

import { deferred } from '../../support/recorders.ts';
import { EventReader } from '../../support/http/event-reader.ts';
import { HttpClient, idsOf, messageOf, reporting, request, textOf, toolCall } from '../../support/http/http-client.ts';
import { bearer, ByName, byName, serve } from '../../support/http/served.ts';

const TOKEN = { _meta: { progressToken: 'token' } };

describe('a disconnected stream', () => {
  it.each([
    ['disconnected before the result', 'during'],
    ['disconnected while the call ends', 'meanwhile'],
  ])('resumes after the last received event, with each event once and in order: %s', async (_, when) => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const gone = new AbortController();
    const first = new EventReader(
      await client.post(request(1, 'tools/call', { name: 'wait', arguments: { text: 'x' }, ...TOKEN }), { signal: gone.signal }),
    );
    const { context, end } = await served.station.calls.next();
    context.log.info('before');
    await first.next();
    expect(await first.message()).toMatchObject({ params: { data: 'before' } });
    gone.abort();
    await expect(first.rest()).rejects.toThrow(/aborted/);
    context.log.info('meanwhile');
    if (when === 'meanwhile') end('the result');
    const second = await client.resume(first.lastEventId);
    expect(await second.message()).toMatchObject({ params: { data: 'meanwhile' } });
    context.log.info('after');
    if (when === 'during') end('the result');
    const rest = await second.messages();
    const expected = when === 'during' ? [{ params: { data: 'after' } }, { id: 1 }] : [{ id: 1 }];
    expect(rest).toMatchObject(expected);
    expect(textOf(rest.at(-1)!)).toBe('the result');
  });

  it('contains no more events after the result', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const stream = new EventReader(await client.post(reporting(1, 2)));
    await stream.rest();
    const response = await client.get({ 'last-event-id': stream.lastEventId ?? '' });
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('can be replayed from any of its events, any number of times', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const events = await new EventReader(await client.post(reporting(1, 3))).rest();
    for (const [index, { id }] of events.entries()) {
      if (index === events.length - 1) continue;
      const again = await (await client.resume(id)).rest();
      expect(idsOf(again)).toEqual(idsOf(events.slice(index + 1)));
    }
  });

  it('is continued on the latest connection only', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const first = await client.stream(1, 'wait', { text: 'x' });
    const { end, context } = await served.station.calls.next();
    const prime = await first.next();
    const second = await client.resume(prime?.id);
    expect(await first.messages()).toEqual([]);
    context.log.info('for the second');
    end('the result');
    expect((await second.messages()).map(({ id, method }) => id ?? method)).toEqual(['notifications/message', 1]);
  });

  it('resumes after half a second if its call closed it', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const posted = client.post(toolCall(1, 'wait', { text: 'x' }));
    const { end, context } = await served.station.calls.next();
    context.http?.closeStream();
    const first = new EventReader(await posted);
    expect(await first.rest()).toEqual([{ id: '2-0', retry: '500', data: '' }]);
    context.log.info('without a listener');
    const second = await client.resume(first.lastEventId);
    end('the result');
    const messages = await second.messages();
    expect(messages).toMatchObject([{ params: { data: 'without a listener' } }, { id: 1 }]);
  });

  it('is not closed by its call if the client could not resume it', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision: '2025-06-18' });
    const posted = client.post(toolCall(1, 'wait', { text: 'x' }));
    const { end, context } = await served.station.calls.next();
    context.http?.closeStream();
    end('the result');
    expect(textOf(await messageOf(await posted))).toBe('the result');
  });
});

describe('a Last-Event-ID', () => {
  it.each([
    '',
    'x',
    '1',
    '-1',
    '1-',
    '1-1-1',
    '1.5-1',
    '0x1-1',
    ' ',
    '9'.repeat(8000),
    `${'9'.repeat(16)}-1`,
    '9-0',
    '0-1',
    '3-99',
  ])('%j that the session never sent is rejected', async (id) => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await client.call('say', { text: 'x' });
    // This call has the third stream of the session, after the streams of `initialize` and of the answered call.
    await client.stream(1, 'wait', { text: 'x' });
    const response = await client.get({ 'last-event-id': id });
    expect([response.status, (await messageOf(response)).error?.message]).toEqual([
      400,
      'The Last-Event-ID does not belong to this session',
    ]);
  });

  it('of another session does not resume a stream of that session', async () => {
    await using served = await serve();
    const [mine, other] = [await HttpClient.open(served.url), await HttpClient.open(served.url)];
    const events = await new EventReader(await other.post(reporting(1, 3))).rest();
    for (const { id = '' } of events) {
      const response = await mine.get({ 'last-event-id': id });
      expect([400, 204]).toContain(response.status);
      expect(await response.text()).not.toContain('notifications');
    }
  });
});

describe('the standalone GET stream of a session', () => {
  it('sends the events from before it was opened', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await client.post(request(1, 'resources/subscribe', { uri: 'station://a' }));
    served.station.change('station://a');
    await using stream = await client.listen();
    expect(await stream.message()).toMatchObject({ method: 'notifications/resources/updated' });
  });

  it('replays the events that were missed while disconnected, each exactly once', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await client.post(request(1, 'resources/subscribe', { uri: 'station://a' }));
    const first = await client.listen();
    served.station.change('station://a');
    await first.message();
    await first[Symbol.asyncDispose]();
    served.station.change('station://a');
    served.station.change('station://a');
    await using second = await client.resume(first.lastEventId);
    const ids = [(await second.next())?.id, (await second.next())?.id];
    served.station.change('station://a');
    ids.push((await second.next())?.id);
    expect([first.lastEventId, ...ids]).toEqual(['0-1', '0-2', '0-3', '0-4']);
  });

  it('begins with an event before the missed ones, so that nothing is lost if the connection breaks there', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await client.post(request(1, 'resources/subscribe', { uri: 'station://a' }));
    served.station.change('station://a');
    await using stream = await client.listen();
    expect(idsOf([(await stream.next()) ?? {}, (await stream.next()) ?? {}])).toEqual(['0-0', '0-1']);
  });

  it('can be opened only once at a time', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await using stream = await client.listen();
    expect(stream.response.status).toBe(200);
    const second = await client.get();
    expect([second.status, (await messageOf(second)).error?.message]).toEqual([409, 'This session already has an open stream']);
  });

  it('can be opened again if the client disconnected before the stream was opened', async () => {
    const [asked, mayGoOn] = [deferred(), deferred()];
    const authenticator = new ByName(async (authorization) => {
      if (authorization === 'Bearer slow') {
        asked.resolve();
        await mayGoOn.promise;
      }
      return byName('Bearer name');
    });
    await using served = await serve({ authenticator });
    const client = await HttpClient.open(served.url);
    const gone = new AbortController();
    const lost = client.get(bearer('slow'), gone.signal).catch(() => 'lost');
    await asked.promise;
    gone.abort();
    expect(await lost).toBe('lost');
    // This call gives the server time to notice that the slow request was aborted.
    expect(await client.call('say', { text: 'x' })).toBe('x');
    mayGoOn.resolve();
    await using stream = await client.listen();
    expect(stream.response.status).toBe(200);
  });
});
