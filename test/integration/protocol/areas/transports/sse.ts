import { expect } from 'vitest';

import type { Area } from '../../client/area.ts';
import type { Message } from '../../messages/message.ts';
import { callOf, post, wireOf } from '../../client/posting.ts';
import { eventsOf, isStream } from '../../wires/events.ts';

export const sse: Area = (test) => {
  test(
    'first sends the URL to which the client posts messages, a different URL on each stream',
    ['sse.endpoint'],
    async ({ client, served }) => {
      const leave = new AbortController();
      const response = await fetch(served.url, { signal: leave.signal });
      expect(response.status).toBe(200);
      expect(isStream(response)).toBe(true);
      const { value: first } = await eventsOf(response).next();
      expect(first).toMatchObject({ event: 'endpoint', data: expect.any(String) });
      const place = new URL(first?.data ?? '', served.url);
      expect(place.origin).toBe(new URL(served.url).origin);
      expect(place.href).not.toBe(wireOf(client).url);
      leave.abort();
    },
  );

  test('accepts messages at this URL, and answers with events', ['sse.posted', 'sse.messages'], async ({ served }) => {
    const leave = new AbortController();
    const response = await fetch(served.url, { signal: leave.signal });
    const events = eventsOf(response);
    const { value: first } = await events.next();
    const ping: Message = { jsonrpc: '2.0', id: 'first', method: 'ping' };
    const posted = await fetch(new URL(first?.data ?? '', served.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ping),
    });
    expect(posted.status).toBe(202);
    const { value: second } = await events.next();
    expect(second?.event ?? 'message').toBe('message');
    expect(JSON.parse(second?.data ?? '')).toEqual({ jsonrpc: '2.0', id: 'first', result: {} });
    leave.abort();
  });

  test('rejects messages for an unknown session', ['sse.foreign'], async ({ client }) => {
    const url = new URL(wireOf(client).url);
    for (const change of ['00000000-0000-4000-8000-000000000000', '']) {
      for (const name of url.searchParams.keys()) url.searchParams.set(name, change);
      const body = JSON.stringify(callOf(client, 'echo', { text: 'hello' }));
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    }
    expect((await post(client, callOf(client, 'echo', { text: 'hello' }))).ok).toBe(true);
  });
};
