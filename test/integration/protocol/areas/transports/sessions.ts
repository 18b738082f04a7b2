import { expect } from 'vitest';

import type { Area } from '../../client/area.ts';
import type { Message } from '../../messages/message.ts';
import {
  allEventsOf,
  answerOf,
  callOf,
  headersOf,
  messagesOf,
  post,
  requestOf,
  wireOf,
  type Changed,
} from '../../client/posting.ts';
import type { RawClient } from '../../client/raw-client.ts';
import { roundTrip, textOf } from '../../client/reading.ts';
import { eventsOf, isStream, type StreamEvent } from '../../wires/events.ts';
import { HttpWire } from '../../wires/http-wire.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

function sessionOf(client: RawClient): string {
  return headersOf(client, undefined)['mcp-session-id'] ?? '';
}

/** Returns the messages that have arrived on the listening stream. */
function heardBy({ wire }: RawClient): readonly Message[] {
  if (!(wire instanceof HttpWire)) throw new Error('the client does not use Streamable HTTP');
  return wire.heard.map((text): Message => JSON.parse(text));
}

/** Sends a request without a body. */
function ask(client: RawClient, method: 'GET' | 'DELETE', changed: Changed = {}): Promise<Response> {
  const headers = headersOf(client, undefined, { accept: 'text/event-stream', 'content-type': undefined, ...changed });
  return fetch(wireOf(client).url, { method, headers });
}

/**
 * Starts a call that waits, and closes its stream after the first message. Returns the call, and the id of the event with this
 * message.
 */
async function lost(client: RawClient, key: string): Promise<{ readonly call: Message; readonly last: string }> {
  const call = callOf(client, 'wait', { key }, { progressToken: key });
  const lose = new AbortController();
  const response = await post(client, call, {}, lose.signal);
  for await (const { id, data } of eventsOf(response)) {
    if (!data) continue;
    lose.abort();
    return { call, last: id ?? '' };
  }
  throw new Error('the stream ended early');
}

export const sessions: Area = (test, { revision }) => {
  test('creates unique session ids of visible ASCII', ['http.session-id'], async ({ client, served }) => {
    await using other = await served.connect();
    const ids = [sessionOf(client), sessionOf(other)];
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{20,}$/);
    expect(new Set(ids).size).toBe(2);
  });

  test(
    'rejects requests without a session, except initialize',
    ['http.session-required', 'lifecycle.initialize-first'],
    async ({ client }) => {
      const without = { 'mcp-session-id': undefined };
      expect((await post(client, requestOf(client, 'tools/list'), without)).status).toBe(400);
      expect((await ask(client, 'GET', without)).status).toBe(400);
      expect((await ask(client, 'DELETE', without)).status).toBe(400);
    },
  );

  for (const id of [UNKNOWN, 'nothing', '__proto__'])
    test(`returns 404 for an unknown session id: ${id}`, ['http.session-unknown'], async ({ client }) => {
      const unknown = { 'mcp-session-id': id };
      expect((await post(client, requestOf(client, 'tools/list'), unknown)).status).toBe(404);
      expect((await ask(client, 'GET', unknown)).status).toBe(404);
      expect((await ask(client, 'DELETE', unknown)).status).toBe(404);
    });

  test('ends a session when the client deletes the session', ['http.session-end'], async ({ served }) => {
    await using client = await served.connect();
    expect((await ask(client, 'DELETE')).ok).toBe(true);
    expect((await post(client, requestOf(client, 'tools/list'))).status).toBe(404);
    expect((await ask(client, 'GET')).status).toBe(404);
  });

  test('accepts a response from the client with an empty response', ['http.response'], async ({ client }) => {
    const response = await post(client, { jsonrpc: '2.0', id: 'nobody', result: {} });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  test('opens the standalone stream of a session for a GET request', ['http.listening'], async ({ served }) => {
    await using client = await served.connect({ listening: false });
    const response = await ask(client, 'GET');
    expect(response.status).toBe(200);
    expect(isStream(response)).toBe(true);
    await response.body?.cancel();
  });

  test(
    'sends each change once, only on the standalone stream, and no responses there',
    ['http.one-stream', 'http.listening-no-answers'],
    async ({ client }) => {
      const before = client.received.length;
      const isChange = ({ method }: Message): boolean => method === 'notifications/tools/list_changed';
      const told = client.upcoming(isChange);
      await client.call('change', { kind: 'tools' });
      await told;
      await roundTrip(client);
      expect(client.received.slice(before).filter(isChange)).toHaveLength(1);
      expect(heardBy(client).some(isChange)).toBe(true);
      expect(heardBy(client).filter(({ method }) => method === undefined)).toEqual([]);
    },
  );

  for (const version of ['1999-01-01', 'nothing', '2026-07-27'])
    test(`rejects a request in a session with the protocol version ${version}`, ['http.version-header'], async ({ client }) => {
      const response = await post(client, requestOf(client, 'tools/list'), { 'mcp-protocol-version': version });
      expect(response.status).toBe(400);
    });

  test('serves a request in a session without a protocol version header', ['http.version-header-missing'], async ({ client }) => {
    const response = await post(client, callOf(client, 'caller'), { 'mcp-protocol-version': undefined });
    const { result = {} } = (await answerOf(response)) ?? {};
    expect(JSON.parse(textOf(result))).toMatchObject({ protocolVersion: revision });
  });

  test('gives each event a unique id', ['http.event-ids'], async ({ client }) => {
    const posted = ['one', 'two'].map((token) =>
      post(client, callOf(client, 'report', { steps: [1, 2] }, { progressToken: token })),
    );
    const events = (await Promise.all((await Promise.all(posted)).map(allEventsOf))).flat();
    const ids = events.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(ids.length).toBeGreaterThanOrEqual(6);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test(
    'continues a request if the client loses the stream of the request',
    ['http.resume', 'http.disconnect'],
    async ({ client }) => {
      const key = `lost ${revision}`;
      const { call, last } = await lost(client, key);
      const resumed = ask(client, 'GET', { 'last-event-id': last });
      await client.call('release', { key });
      expect(await messagesOf(await resumed)).toMatchObject([{ id: call.id, result: { content: [{ text: 'released' }] } }]);
    },
  );

  test(
    'sends messages again that the client missed while disconnected',
    ['http.resume', 'http.disconnect'],
    async ({ client }) => {
      const key = `away ${revision}`;
      const { call, last } = await lost(client, key);
      await client.call('release', { key });
      await roundTrip(client);
      const resumed = await ask(client, 'GET', { 'last-event-id': last });
      expect(await messagesOf(resumed)).toMatchObject([{ id: call.id, result: { content: [{ text: 'released' }] } }]);
    },
  );

  test('does not replay events of another stream or another session', ['http.resume-own-stream'], async ({ client, served }) => {
    const [mine, other] = [`mine ${revision}`, `other ${revision}`];
    const first = await lost(client, mine);
    const second = await lost(client, other);
    for (const key of [mine, other]) await client.call('release', { key });
    await client.call('change', { kind: 'tools' });
    await using stranger = await served.connect();
    const foreign = await ask(stranger, 'GET', { 'last-event-id': first.last });
    expect((await messagesOf(foreign)).filter(({ error }) => error === undefined)).toEqual([]);
    const resumed = await messagesOf(await ask(client, 'GET', { 'last-event-id': first.last }));
    expect(resumed.map(({ id }) => id)).toEqual([first.call.id]);
    expect(second.call.id).not.toBe(first.call.id);
  });

  test('begins a stream with an event that has an id and no data', ['http.priming'], async ({ client }) => {
    const [first] = await allEventsOf(await post(client, callOf(client, 'report', { steps: [1] }, { progressToken: 'primed' })));
    expect(first).toMatchObject({ id: expect.any(String), data: '' });
  });

  test('sends the retry time before it closes a stream', ['http.retry', 'http.resume'], async ({ client }) => {
    const key = `hung up ${revision}`;
    const call = callOf(client, 'hang_up', { key });
    const events: readonly StreamEvent[] = await allEventsOf(await post(client, call));
    expect(events.some(({ retry }) => /^\d+$/.test(retry ?? ''))).toBe(true);
    const resumed = ask(client, 'GET', { 'last-event-id': events.findLast(({ id }) => id !== undefined)?.id });
    await client.call('release', { key });
    expect(await messagesOf(await resumed)).toMatchObject([{ id: call.id, result: {} }]);
  });
};
