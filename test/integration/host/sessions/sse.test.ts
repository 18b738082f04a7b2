import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { serveHttp } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { EventReader, type Message } from '../../support/http/event-reader.ts';
import { initialize, messageOf, notification, post, request, textOf, toolCall } from '../../support/http/http-client.ts';
import { bearer, ByName, serve } from '../../support/http/served.ts';
import { Station } from '../../support/http/station.ts';

const REVISION = '2024-11-05';

/** A session of 2024-11-05, over its one stream. */
class SseSession {
  readonly stream: EventReader;
  readonly endpoint: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(stream: EventReader, endpoint: string, headers: Readonly<Record<string, string>>) {
    this.stream = stream;
    this.endpoint = endpoint;
    this.#headers = headers;
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SseSession> {
    const stream = new EventReader(await fetch(url, { headers: { accept: 'text/event-stream', ...headers } }));
    const { event, data = '' } = (await stream.next()) ?? {};
    if (event !== 'endpoint') throw new Error(`${event} came first`);
    const session = new SseSession(stream, new URL(data, url).href, headers);
    await session.ask(initialize(REVISION));
    await session.post(notification('notifications/initialized'));
    return session;
  }

  async post(message: object): Promise<number> {
    const response = await post(this.endpoint, JSON.stringify(message), { headers: this.#headers });
    await response.text();
    return response.status;
  }

  async ask(message: object): Promise<Message> {
    const status = await this.post(message);
    if (status !== 202) throw new Error(`posting was answered with ${status}`);
    return this.stream.message();
  }
}

describe('a session of 2024-11-05', () => {
  it('receives the URL for its messages, and the responses on its stream', async () => {
    await using served = await serve({ sse: true });
    const session = await SseSession.open(`${served.origin}/sse`);
    expect(session.endpoint).toMatch(new RegExp(`^${served.origin}/messages\\?sessionId=[\\da-f-]{36}$`));
    expect(textOf(await session.ask(toolCall(1, 'say', { text: 'x' })))).toBe('x');
    expect(served.service.gauges.sessions).toBe(1);
  });

  it('is reported as a session over HTTP', async () => {
    await using served = await serve({ sse: true });
    const session = await SseSession.open(`${served.origin}/sse`);
    const { result } = await session.ask(request(1, 'resources/read', { uri: 'server://info' }));
    const contents: unknown = result?.['contents'];
    expect(contents).toMatchObject([{ text: expect.stringContaining('"transport": "http"') }]);
  });

  it('serves the official client', async () => {
    await using served = await serve({ sse: true });
    const client = new Client({ name: 'client', version: '1.0.0' }, { supportedProtocolVersions: [REVISION] });
    await client.connect(new SSEClientTransport(new URL(`${served.origin}/sse`)));
    const { content } = await client.callTool({ name: 'say', arguments: { text: 'x' } });
    expect(content).toMatchObject([{ text: 'x' }]);
    await client.close();
    await expect.poll(() => served.service.gauges.sessions).toBe(0);
  });

  it('receives progress, logs and changes', async () => {
    await using served = await serve({ sse: true });
    const session = await SseSession.open(`${served.origin}/sse`);
    const params = { name: 'report', arguments: { times: 1 }, _meta: { progressToken: 'token' } };
    const heard = [await session.ask(request(1, 'tools/call', params)), await session.stream.message()];
    heard.push(await session.stream.message());
    await session.ask(request(2, 'resources/subscribe', { uri: 'station://a' }));
    served.station.change('station://a');
    heard.push(await session.stream.message());
    expect(heard.map(({ id, method }) => id ?? method)).toEqual([
      'notifications/message',
      'notifications/progress',
      1,
      'notifications/resources/updated',
    ]);
  });

  it('ends with its stream: calls are aborted and watches are released', async () => {
    await using served = await serve({ sse: true });
    const session = await SseSession.open(`${served.origin}/sse`);
    await session.ask(request(1, 'resources/subscribe', { uri: 'station://a' }));
    await session.post(toolCall(2, 'wait', { text: 'x' }));
    const { aborted } = await served.station.calls.next();
    await session.stream[Symbol.asyncDispose]();
    await aborted;
    expect(await served.station.stopped.next()).toBe('station://a');
    expect(served.service.gauges.sessions).toBe(0);
    expect(await session.post(request(3, 'ping'))).toBe(404);
  });

  it('sends no response to a cancelled request', async () => {
    await using served = await serve({ sse: true });
    const session = await SseSession.open(`${served.origin}/sse`);
    await session.post(toolCall(1, 'wait', { text: 'x' }));
    const { aborted, end } = await served.station.calls.next();
    expect(await session.post(request(1, 'ping'))).toBe(400);
    await session.post(notification('notifications/cancelled', { requestId: 1 }));
    await aborted;
    end('late');
    expect(await session.ask(request(1, 'ping'))).toMatchObject({ id: 1, result: {} });
  });

  it('does not exist for a principal other than its owner', async () => {
    await using served = await serve({ sse: true, authenticator: new ByName() });
    const session = await SseSession.open(`${served.origin}/sse`, bearer('ada'));
    const body = JSON.stringify(request(1, 'ping'));
    const stolen = await post(session.endpoint, body, { headers: bearer('eve') });
    const unknown = await post(session.endpoint.replace(/=.*/, '=unknown'), body, { headers: bearer('eve') });
    const without = await post(session.endpoint.replace(/\?.*/, ''), body, { headers: bearer('eve') });
    for (const response of [stolen, unknown, without])
      expect([response.status, (await messageOf(response)).error?.code]).toEqual([404, -32_001]);
  });

  it.each([
    ['a batch', [request(1, 'ping')], 'Batches are not supported in protocol version 2024-11-05'],
    ['an invalid message', { hello: 'world' }, '"jsonrpc" must be "2.0"'],
  ])('rejects %s', async (_, body, reason) => {
    await using served = await serve({ sse: true });
    const session = await SseSession.open(`${served.origin}/sse`);
    const response = await post(session.endpoint, JSON.stringify(body));
    expect([response.status, (await messageOf(response)).error?.message]).toEqual([400, reason]);
  });

  it('is not mixed with sessions of other revisions', async () => {
    await using served = await serve({ sse: true });
    const session = await SseSession.open(`${served.origin}/sse`);
    const id = new URL(session.endpoint).searchParams.get('sessionId') ?? '';
    const response = await post(served.url, JSON.stringify(request(1, 'ping')), { headers: { 'mcp-session-id': id } });
    expect(response.status).toBe(404);
    await response.text();
  });

  it('is closed if it does not answer a ping, and otherwise stays open', async () => {
    await using served = await serve({ sse: true, pingInterval: 50 });
    const session = await SseSession.open(`${served.origin}/sse`);
    const { id, method } = await session.stream.message();
    expect(method).toBe('ping');
    await session.post({ jsonrpc: '2.0', id, result: {} });
    expect((await session.stream.message()).method).toBe('ping');
    expect((await session.stream.messages()).map((message) => message.method)).toEqual(['notifications/cancelled']);
  });

  it('is answered within the grace period of a server that closes', async () => {
    await using served = await serve({ sse: true, grace: 60_000 });
    const session = await SseSession.open(`${served.origin}/sse`);
    await session.post(toolCall(1, 'wait', { text: 'x' }));
    await session.post(toolCall(2, 'wait', { text: 'cancelled' }));
    const { end } = await served.station.calls.next();
    const cancelled = await served.station.calls.next();
    const closed = served.service.close();
    await session.post(notification('notifications/cancelled', { requestId: 2 }));
    await cancelled.aborted;
    end('the result');
    expect((await session.stream.messages()).map(textOf)).toEqual(['the result']);
    await closed;
  });

  it('receives an error for its request when the server ends', async () => {
    await using served = await serve({ sse: true });
    const session = await SseSession.open(`${served.origin}/sse`);
    await session.post(toolCall(1, 'wait', { text: 'x' }));
    await served.station.calls.next();
    await served.service.close();
    expect(await session.stream.messages()).toMatchObject([{ id: 1, error: { message: 'The session was closed' } }]);
  });
});

describe('sessions of 2024-11-05 at several paths', () => {
  it('belong to the server whose path is next to theirs', async () => {
    const [one, other] = [new Station(), new Station()];
    await using service = await serveHttp({ '/one/mcp': one, '/other/mcp': other }, { sse: true, grace: 50 });
    const session = await SseSession.open(`${service.url}/one/sse`);
    await SseSession.open(`${service.url}/other/sse`);
    expect(new URL(session.endpoint).pathname).toBe('/one/messages');
    await session.post(toolCall(1, 'wait', { text: 'x' }));
    await one.calls.next();
    expect(other.calls.all).toEqual([]);
    const elsewhere = await post(session.endpoint.replace('/one/', '/other/'), JSON.stringify(request(2, 'ping')));
    expect(elsewhere.status).toBe(404);
    await elsewhere.text();
  });
});
