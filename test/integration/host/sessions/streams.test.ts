import { describe, expect, it } from 'vitest';

import { EventReader } from '../../support/http/event-reader.ts';
import { HttpClient, idsOf, messageOf, postModern, reporting, textOf, toolCall } from '../../support/http/http-client.ts';
import { serve } from '../../support/http/served.ts';

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25'];
const TOKEN = { _meta: { progressToken: 'token' } };

/** Returns a response that was JSON: usually the first one, but a busy machine may need several attempts. */
async function soon(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask();
    if (response.headers.get('content-type') === 'application/json') return response;
    await response.text();
  }
}

describe.each(REVISIONS)('a response in a session of protocol version %s', (revision) => {
  it('is JSON if the call is fast and sends no messages', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision });
    const say = (): Promise<Response> => client.post(toolCall(1, 'say', { text: 'x' }));
    const response = await soon(say);
    expect(response.headers.get('mcp-session-id')).toBe(client.sessionId);
    expect(textOf(await messageOf(response))).toBe('x');
  });

  it('is an SSE stream with a unique id for each event if the call sends messages', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision });
    const stream = new EventReader(await client.post(reporting(1, 2)));
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'mcp-session-id': client.sessionId,
    });
    const events = await stream.rest();
    const messages = events.filter(({ data }) => data !== '');
    expect(new Set(idsOf(messages)).size).toBe(messages.length);
    const methods = messages.map(({ data = '{}' }) => JSON.parse(data).method);
    expect(methods).toEqual([
      'notifications/message',
      'notifications/progress',
      'notifications/message',
      'notifications/progress',
      undefined,
    ]);
    // The last message of the stream is the result.
    expect(JSON.parse(messages.at(-1)?.data ?? '')).toMatchObject({ id: 1, result: {} });
  });

  it('is an SSE stream if the call is slow; from 2025-11-25 on, the stream begins with an event for resumption', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { revision });
    const stream = await client.stream(1, 'wait', { text: 'slow' });
    const { end } = await served.station.calls.next();
    end('slowly');
    const events = await stream.rest();
    const prime = revision === '2025-11-25' ? [{ id: '2-0', retry: '500', data: '' }] : [];
    expect(events).toEqual([...prime, { event: 'message', id: '2-1', data: expect.stringContaining('slowly') }]);
  });
});

describe('a response on protocol version 2026-07-28', () => {
  it('is JSON if the call is fast and sends no messages', async () => {
    await using served = await serve();
    const params = { name: 'say', arguments: { text: 'x' } };
    const response = await soon(() => postModern(served.url, { method: 'tools/call', params }));
    expect(textOf(await messageOf(response))).toBe('x');
  });

  it('is an SSE stream without event ids if the call sends messages', async () => {
    await using served = await serve();
    const params = { name: 'report', arguments: { times: 2 }, ...TOKEN };
    const stream = new EventReader(await postModern(served.url, { method: 'tools/call', params }));
    const events = await stream.rest();
    expect(idsOf(events)).toEqual([undefined, undefined, undefined]);
    const messages = events.map(({ data = '' }) => JSON.parse(data));
    expect(messages).toMatchObject([{ params: { progress: 1 } }, { params: { progress: 2 } }, { id: 1, result: {} }]);
  });

  it('is an SSE stream if the call is slow, so that no proxy closes the connection', async () => {
    await using served = await serve();
    const calls = ['slow', 'reporting'].map(async (text) => {
      const params = { name: 'wait', arguments: { text }, ...TOKEN };
      return new EventReader(await postModern(served.url, { id: text, method: 'tools/call', params }));
    });
    const [slow, reporting] = await Promise.all(calls);
    for (const { name, context, end } of [await served.station.calls.next(), await served.station.calls.next()]) {
      if (name === 'reporting') context.progress(1, 2);
      end(`${name} at last`);
    }
    const [message, ...others] = await slow!.messages();
    expect([message?.id, textOf(message!), others]).toEqual(['slow', 'slow at last', []]);
    expect(await reporting!.messages()).toMatchObject([{ params: { progress: 1 } }, { id: 'reporting' }]);
  });
});

describe('a client that disconnects', () => {
  it('cancels its call on 2026-07-28', async () => {
    await using served = await serve();
    for (const name of ['silent', 'streaming']) {
      const gone = new AbortController();
      const params = { name: 'wait', arguments: { text: name }, ...TOKEN };
      const posted = postModern(served.url, { method: 'tools/call', params }, { signal: gone.signal });
      const over = posted.then((response) => response.text()).catch(() => 'over');
      const { aborted, context } = await served.station.calls.next();
      if (name === 'streaming') {
        context.progress(1);
        await posted;
      }
      gone.abort();
      await aborted;
      expect(await over).toBe('over');
    }
    expect(served.errors).not.toHaveBeenCalled();
  });

  it('does not cancel its call in a session', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    for (const name of ['quick', 'slow']) {
      const gone = new AbortController();
      const posted = client.post(toolCall(name, 'wait', { text: name }), { signal: gone.signal });
      const over = posted.then((response) => response.text()).catch(() => 'over');
      const { end, context } = await served.station.calls.next();
      if (name === 'slow') await posted;
      gone.abort();
      expect(await over).toBe('over');
      expect(await client.call('say', { text: 'later' })).toBe('later');
      expect(context.signal.aborted).toBe(false);
      end('without a receiver');
    }
    await expect.poll(async () => (await client.post(toolCall('slow', 'say', { text: 'free' }))).status).toBe(200);
  });
});
