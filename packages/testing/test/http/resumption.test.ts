import { describe, expect, it } from 'vitest';

import { deferred } from '../recorders.ts';
import { EventReader } from './event-reader.ts';
import { HttpClient, idsOf, messageOf, reporting, request, textOf, toolCall } from './http-client.ts';
import { bearer, ByName, byName, serve } from './served.ts';

const TOKEN = { _meta: { progressToken: 'token' } };

describe('a stream that is lost', () => {
  it.each([
    ['before the result', 'during'],
    ['and the result comes meanwhile', 'meanwhile'],
  ])('%s goes on where it was: everything comes once and in order', async (_, when) => {
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

  it('after the result has nothing more', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const stream = new EventReader(await client.post(reporting(1, 2)));
    await stream.rest();
    const response = await client.get({ 'last-event-id': stream.lastEventId ?? '' });
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('is played from any of its events on, as often as it is asked for', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const events = await new EventReader(await client.post(reporting(1, 3))).rest();
    for (const [index, { id }] of events.entries()) {
      if (index === events.length - 1) continue;
      const again = await (await client.resume(id)).rest();
      expect(idsOf(again)).toEqual(idsOf(events.slice(index + 1)));
    }
  });

  it('is taken over by the connection that comes later', async () => {
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

  it('because its call closed it goes on after half a second', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const posted = client.post(toolCall(1, 'wait', { text: 'x' }));
    const { end, context } = await served.station.calls.next();
    context.http?.closeStream();
    const first = new EventReader(await posted);
    expect(await first.rest()).toEqual([{ id: '2-0', retry: '500', data: '' }]);
    context.log.info('while nobody listens');
    const second = await client.resume(first.lastEventId);
    end('the result');
    const messages = await second.messages();
    expect(messages).toMatchObject([{ params: { data: 'while nobody listens' } }, { id: 1 }]);
  });

  it('is not closed by its call where the client could not come back', async () => {
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
  ])('%j that the session never sent is refused', async (id) => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await client.call('say', { text: 'x' });
    // The third, after that of initialize and the one that was answered.
    await client.stream(1, 'wait', { text: 'x' });
    const response = await client.get({ 'last-event-id': id });
    expect([response.status, (await messageOf(response)).error?.message]).toEqual([
      400,
      'The Last-Event-ID is not one of this session',
    ]);
  });

  it('of another session gets nothing of it', async () => {
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

describe('the stream of what belongs to no request', () => {
  it('brings what happened before it was opened', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await client.post(request(1, 'resources/subscribe', { uri: 'station://a' }));
    served.station.change('station://a');
    await using stream = await client.listen();
    expect(await stream.message()).toMatchObject({ method: 'notifications/resources/updated' });
  });

  it('brings what happened while it was lost, and once', async () => {
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

  it('tells first of an event before what it missed, so that nothing is lost if it breaks there', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await client.post(request(1, 'resources/subscribe', { uri: 'station://a' }));
    served.station.change('station://a');
    await using stream = await client.listen();
    expect(idsOf([(await stream.next()) ?? {}, (await stream.next()) ?? {}])).toEqual(['0-0', '0-1']);
  });

  it('is there once', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await using stream = await client.listen();
    expect(stream.response.status).toBe(200);
    const second = await client.get();
    expect([second.status, (await messageOf(second)).error?.message]).toEqual([
      409,
      'This session has its stream already; one is enough',
    ]);
  });

  it('may be opened again when its client was gone before it was served', async () => {
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
    // By then the server knows.
    expect(await client.call('say', { text: 'x' })).toBe('x');
    mayGoOn.resolve();
    await using stream = await client.listen();
    expect(stream.response.status).toBe(200);
  });
});
