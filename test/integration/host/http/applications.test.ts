import { once } from 'node:events';
import { request } from 'node:http';

import { createHandler, type HandlerOptions, type McpHandler, type ServerObject } from '@org/mcp-host';
import { connectUrl, ERAS } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { httpCall } from '../../support/http-call.ts';
import { bearer, ByName, byName } from '../../support/http/served.ts';
import { Station } from '../../support/http/station.ts';
import { APPLICATIONS, type Application } from './applications.ts';

interface Running {
  readonly station: Station;
  readonly handler: McpHandler;
  readonly origin: string;
  readonly url: string;
}

async function run(start: (handler: McpHandler) => Promise<Application>, options: HandlerOptions = {}): Promise<Running> {
  const station = new Station();
  const handler = await createHandler(station, { grace: 50, ...options });
  const application = await start(handler);
  onTestFinished(async () => {
    await handler.close();
    await application.close();
  });
  return { station, handler, origin: application.origin, url: `${application.origin}/mcp` };
}

const CASES = Object.entries(APPLICATIONS).flatMap(([name, start]) => ERAS.map((era) => ({ name, start, era })));

describe.each(CASES)('a handler in $name, in the $era era,', ({ start, era }) => {
  it('answers calls, and questions to the user', async () => {
    const { url } = await run(start);
    await using session = await connectUrl(url, { era, answers: { elicitation: { name: 'Ada' } } });
    expect(await session.text('say', { text: 'hello' })).toBe('hello');
    expect(await session.text('ask')).toContain('Ada');
  });

  it('reports updates of subscribed resources', async () => {
    const { station, url } = await run(start);
    await using session = await connectUrl(url, { era });
    const updates = await session.subscribe('station://now');
    expect(await station.started.next()).toBe('station://now');
    station.change('station://now');
    await updates.next();
    await updates[Symbol.asyncDispose]();
    expect(await station.stopped.next()).toBe('station://now');
  });

  it('streams progress, and aborts a call that the client cancels', async () => {
    const { station, url } = await run(start);
    await using session = await connectUrl(url, { era });
    const reporting = session.start('report', { times: 3 });
    await reporting.result;
    expect((await reporting.progress.next()).progress).toBe(1);
    const waiting = session.start('wait', { text: 'long' });
    const call = await station.calls.next();
    waiting.cancel();
    await call.aborted;
    await expect(waiting.result).rejects.toThrow();
  });

  it('accepts only the principals of its authenticator, with their scopes', async () => {
    const authenticator = new ByName(async (authorization) => ({ ...(await byName(authorization)), scopes: ['read'] }));
    const { url } = await run(start, { authenticator });
    await expect(connectUrl(url, { era, token: 'ada' }).then((session) => session.call('say', { text: 'x' }))).rejects.toThrow(
      /insufficient|scope|403/i,
    );
  });
});

/** Names of the applications that read a body before the handler is called, and so limit the size of bodies themselves. */
const READING = ['Express 5 with a parser of bodies and a router', 'Fastify 5', 'NestJS 11'];

describe.each(Object.entries(APPLICATIONS))('a handler in %s', (name, start) => {
  it.each<[attack: string, headers: Readonly<Record<string, string>>, status: number]>([
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a host of DNS rebinding', { host: 'evil.example' }, 403],
  ])('rejects a request of %s', async (_attack, headers, status) => {
    const { origin, station } = await run(start);
    expect(await statusOf(origin, headers)).toBe(status);
    expect(station.watched).toEqual([]);
  });

  it('serves the metadata of its authorization', async () => {
    const { origin, handler } = await run(start, { authenticator: new ByName() });
    expect(handler.paths).toEqual(['/mcp', '/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']);
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404);
  });

  it('rejects a body that is too large, unless the application has read it, and a body that is not JSON', async () => {
    const { url } = await run(start, { maxBody: 1000 });
    const large = httpCall({ name: 'say', arguments: { text: 'x'.repeat(2000) } });
    expect((await send(url, large)).status).toBe(READING.includes(name) ? 200 : 413);
    const broken = new Request(url, { method: 'POST', headers: Object.fromEntries(large.headers), body: '{' });
    expect((await fetch(broken)).status).toBe(400);
  });

  it('ends streams and rejects requests after it was closed', async () => {
    const { url, handler } = await run(start);
    await using session = await connectUrl(url, { era: 'legacy' });
    await session.call('say', { text: 'x' });
    await handler.close();
    expect((await send(url, httpCall({ name: 'say', arguments: { text: 'x' } }))).status).toBe(503);
  });
});

/** Sends a request to this URL instead of the request's own URL. */
function send(url: string, request: Request): Promise<Response> {
  return fetch(new Request(url, request));
}

/** Sends a request with headers that `fetch` does not allow to set. Resolves to the status of the response. */
function statusOf(origin: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/mcp`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
    sent.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject);
    sent.end('{}');
  });
}

/** Returns a handler that discards the body of each request before it handles the request. */
function drained(handler: McpHandler): McpHandler {
  const node: McpHandler['node'] = async (incoming, response) => {
    incoming.resume();
    await once(incoming, 'end');
    await handler.node(incoming, response);
  };
  return Object.assign(Object.create(handler), { node });
}

describe('a handler', () => {
  it('opens its server object and disposes of it', async () => {
    const open = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const dispose = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const server: ServerObject = Object.assign(new Station(), { open, [Symbol.asyncDispose]: dispose });
    const handler = await createHandler(server);
    expect([open.mock.calls.length, dispose.mock.calls.length]).toEqual([1, 0]);
    await handler.close();
    await handler.close();
    expect(dispose).toHaveBeenCalledTimes(1);
  });

  it('disposes of a server object that cannot be opened', async () => {
    const dispose = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const open = (): never => {
      throw new Error('no disk');
    };
    await expect(createHandler(Object.assign(new Station(), { open, [Symbol.asyncDispose]: dispose }))).rejects.toThrow(
      'no disk',
    );
    expect(dispose).toHaveBeenCalledTimes(1);
  });

  it('answers a web request without a network', async () => {
    await using handler = await createHandler(new Station());
    const answer = await handler.fetch(httpCall({ name: 'say', arguments: { text: 'hello' } }));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('hello');
  });

  it('aborts the call of a web request that is aborted', async () => {
    const station = new Station();
    await using handler = await createHandler(station);
    const abort = new AbortController();
    const answer = handler.fetch(new Request(httpCall({ name: 'wait', arguments: { text: 'x' } }), { signal: abort.signal }));
    const call = await station.calls.next();
    abort.abort();
    await call.aborted;
    await answer;
  });

  it('reports a body that the application has read without passing it on', async () => {
    const onTransportError = vi.fn<(error: Error) => void>();
    const { url } = await run((handler) => APPLICATIONS['node:http']!(drained(handler)), { onTransportError });
    expect((await send(url, httpCall({ name: 'say', arguments: { text: 'x' } }))).status).toBe(500);
    expect(onTransportError.mock.calls[0]?.[0].message).toBe(
      'the application has read the body; pass the parsed body to the handler',
    );
  });

  it('lets a page of an allowed origin read a response, and rejects an invalid path', async () => {
    await using handler = await createHandler(new Station(), { allowedOrigins: ['app.example'] });
    const answer = await handler.fetch(httpCall({ name: 'say', arguments: { text: 'x' } }, { origin: 'https://app.example' }));
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
    await expect(createHandler(new Station(), { path: 'mcp' })).rejects.toThrow('"mcp" is not a valid URL path such as /mcp');
  });

  it('accepts tokens', async () => {
    await using handler = await createHandler(new Station(), { authenticator: new ByName() });
    const answer = await handler.fetch(httpCall({ name: 'say', arguments: { text: 'x' } }, bearer('ada')));
    expect(answer.status).toBe(200);
  });
});
