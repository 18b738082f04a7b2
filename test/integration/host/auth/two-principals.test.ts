import { describe, expect, it } from 'vitest';

import { EventReader } from '../../support/http/event-reader.ts';
import {
  HttpClient,
  initialize,
  messageOf,
  post,
  postModern,
  reporting,
  request,
  textOf,
} from '../../support/http/http-client.ts';
import { head, RawConnection } from '../../support/http/raw-connection.ts';
import { bearer, serve, type Served } from '../../support/http/served.ts';
import { Tokens } from '../../support/http/tokens.ts';
import { ENVELOPE } from '../../support/wire.ts';

const URI = 'station://a';
const LISTEN = { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: [URI] } } };
const [ADA, BOB] = [bearer('ada'), bearer('bob')];

function serveBoth(options: Parameters<typeof serve>[0] = {}): Promise<Served> {
  return serve({ authenticator: new Tokens().authenticator, ...options });
}

async function say({ url }: Served, text: string): Promise<unknown> {
  const params = { name: 'say', arguments: { text } };
  return textOf(await messageOf(await postModern(url, { method: 'tools/call', params }, { headers: ADA })));
}

/**
 * Repeats a request until a response has status 429, or `times` requests were sent. Resolves to the statuses of the responses.
 */
async function exhaust(times: number, attempt: () => Promise<Response>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times && statuses.at(-1) !== 429; count += 1) statuses.push((await attempt()).status);
  return statuses;
}

describe('while one principal (bob) uses up its share, another principal (ada)', () => {
  it('can open sessions, and earlier sessions stay open', async () => {
    await using served = await serveBoth({ maxSessions: 10 });
    const ada = await HttpClient.open(served.url, { headers: ADA });
    const opening = JSON.stringify(initialize('2025-11-25'));
    const statuses = await exhaust(20, () => post(served.url, opening, { headers: BOB }));
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.at(-1)).toBe(429);
    await HttpClient.open(served.url, { headers: ADA });
    expect(await ada.call('say', { text: 'still here' })).toBe('still here');
  });

  it('can open listen streams, and receives changes', async () => {
    await using served = await serveBoth({ maxListeners: 10 });
    const statuses = await exhaust(20, () => postModern(served.url, LISTEN, { headers: BOB }));
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.at(-1)).toBe(429);
    await using stream = new EventReader(await postModern(served.url, LISTEN, { headers: ADA }));
    await stream.message();
    served.station.change(URI);
    expect(await stream.message()).toMatchObject({ method: 'notifications/resources/updated' });
  });

  it('receives the events that were kept for ada', async () => {
    await using served = await serveBoth({ eventBuffer: 60_000 });
    const ada = await HttpClient.open(served.url, { headers: ADA });
    const sent = await new EventReader(await ada.post(reporting(1, 20))).rest();
    for (let count = 0; count < 20; count += 1) {
      const bob = await HttpClient.open(served.url, { headers: BOB });
      await (await bob.post(reporting(1, 100))).text();
    }
    const kept = await (await ada.resume(sent[0]?.id)).rest();
    expect(kept.map(({ id }) => id)).toEqual(sent.slice(1).map(({ id }) => id));
  });

  it('receives the events that were kept for ada after one large event for bob', async () => {
    await using served = await serveBoth({ eventBuffer: 60_000 });
    const bob = await HttpClient.open(served.url, { headers: BOB });
    const stream = await bob.stream(1, 'wait', { text: 'x' });
    (await served.station.calls.next()).end('b'.repeat(55_000));
    await stream.rest();
    const ada = await HttpClient.open(served.url, { headers: ADA });
    const sent = await new EventReader(await ada.post(reporting(1, 20))).rest();
    const kept = await (await ada.resume(sent[0]?.id)).rest();
    expect(kept.map(({ id }) => id)).toEqual(sent.slice(1).map(({ id }) => id));
  });

  it('can subscribe to resources', async () => {
    await using served = await serveBoth();
    const notifications = (from: number): object => ({
      notifications: { resourceSubscriptions: Array.from({ length: 10_000 }, (_, uri) => `station://${from + uri}`) },
    });
    for (let stream = 0; stream < 6; stream += 1) {
      const listening = await postModern(served.url, { ...LISTEN, params: notifications(stream * 10_000) }, { headers: BOB });
      await new EventReader(listening).message();
    }
    expect(served.station.subscriptions).toBe(50_000);
    const ada = await HttpClient.open(served.url, { headers: ADA });
    const answer = await messageOf(await ada.post(request(1, 'resources/subscribe', { uri: URI })));
    expect(answer).toMatchObject({ result: {} });
  });

  it('can call tools', async () => {
    await using served = await serveBoth({ maxConnections: 20 });
    const params = { name: 'wait', arguments: { text: 'x' } };
    const gone = new AbortController();
    const waiting = [];
    for (let call = 0; call < 10; call += 1) {
      const { signal } = gone;
      waiting.push(postModern(served.url, { method: 'tools/call', params }, { headers: BOB, signal }).catch(() => undefined));
      await served.station.calls.next();
    }
    const refused = await postModern(served.url, { method: 'tools/call', params }, { headers: BOB });
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('This client has reached its share of requests: it has 10 of the server');
    expect(await say(served, 'hello')).toBe('hello');
    gone.abort();
    await Promise.all(waiting);
  });
});

describe('while one principal (bob) keeps every connection open and idle, another principal (ada)', () => {
  const MAX = 20;

  /** Opens connections and makes one request with this token on each of them. */
  async function keepConnections(
    served: Served,
    { token, count }: { readonly token: string; readonly count: number },
  ): Promise<readonly RawConnection[]> {
    const discover = JSON.stringify(request(1, 'server/discover', { _meta: ENVELOPE }));
    const connections: RawConnection[] = [];
    while (connections.length < count) {
      const connection = await RawConnection.to(served.url);
      const headers = [`Host: ${served.host}`, `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
      const method = ['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: server/discover'];
      connection.write(head('POST /mcp', [...headers, ...method, `Content-Length: ${discover.length}`]) + discover);
      await connection.until(/\r\n\r\n/);
      connections.push(connection);
    }
    return connections;
  }

  it.each([
    ['bob has sent a request with a valid token', (served: Served) => keepConnections(served, { token: 'bob', count: MAX })],
    ['bob has sent a request with a revoked token', (served: Served) => keepConnections(served, { token: 'eve', count: MAX })],
    ['bob has sent no request', ({ url }: Served) => Promise.all(Array.from({ length: MAX }, () => RawConnection.to(url)))],
  ])('can call tools: %s', async (_, keep) => {
    const tokens = new Tokens();
    tokens.revoke('eve');
    await using served = await serve({ authenticator: tokens.authenticator, maxConnections: MAX });
    await keep(served);
    await expect.poll(() => served.service.gauges.connections).toBe(MAX);
    expect(await say(served, 'hello')).toBe('hello');
    expect(served.service.gauges.connections).toBe(MAX);
  });

  it('keeps its idle connections and the connection of its call', async () => {
    await using served = await serveBoth({ maxConnections: MAX });
    const params = { name: 'wait', arguments: { text: 'x' } };
    const call = postModern(served.url, { method: 'tools/call', params }, { headers: ADA });
    const { end } = await served.station.calls.next();
    const idle = await keepConnections(served, { token: 'ada', count: 3 });
    const displaced = [
      ...(await keepConnections(served, { token: 'bob', count: MAX })),
      ...(await Promise.all(Array.from({ length: 2 * MAX }, () => RawConnection.to(served.url)))),
    ];
    await expect.poll(() => displaced.filter(({ isOpen }) => isOpen)).toHaveLength(MAX - 4);
    expect(idle.map(({ isOpen }) => isOpen)).toEqual([true, true, true]);
    end('the result');
    expect(textOf(await messageOf(await call))).toBe('the result');
  });
});
