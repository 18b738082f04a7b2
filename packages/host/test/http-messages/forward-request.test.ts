import { once } from 'node:events';
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { forwardRequest } from '../../src/http-messages/forward-request.ts';
import { HttpError } from '../../src/http-messages/http-error.ts';
import { answering, ask, bodyOf, type Answering } from '../http/answering.ts';

/** Starts a server that forwards every request to a URL and records the results. */
async function forwarding(url: string): Promise<Answering & { readonly outcomes: unknown[] }> {
  const outcomes: unknown[] = [];
  const server = await answering(async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined;
    try {
      outcomes.push(await forwardRequest({ request, response, body }, { owner: 'owner', url }));
    } catch (error) {
      outcomes.push(error instanceof HttpError ? error.status : error);
    }
    if (!response.headersSent) response.writeHead(500).end();
  });
  return { ...server, outcomes };
}

async function post({ port }: Answering, body: unknown): Promise<IncomingMessage> {
  const headers = { 'content-type': 'application/json', te: 'trailers', authorization: 'Bearer token' };
  const sent = send({ port, method: 'POST', agent: false, headers }).end(JSON.stringify(body));
  const [response] = await once(sent, 'response');
  return response as IncomingMessage;
}

describe('a forwarded request', () => {
  it('has the headers and the body of the client, and the id of the owner', async () => {
    let received: unknown;
    await using peer = await answering(async (request, response) => {
      const { authorization, te, 'mcp-session-owner': owner, host } = request.headers;
      received = { authorization, te, owner, host, body: await json(request) };
      response.writeHead(202, { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] }).end('text é');
    });
    await using server = await forwarding(`${peer.url}/mcp`);
    const response = await post(server, { text: 'é' });
    expect([response.statusCode, response.headers['x-answer'], response.headers['set-cookie']]).toEqual([
      202,
      'yes',
      ['a=1', 'b=2'],
    ]);
    expect(await bodyOf(response)).toBe('text é');
    const host = `localhost:${server.port}`;
    expect(received).toEqual({ authorization: 'Bearer token', te: undefined, owner: 'owner', host, body: { text: 'é' } });
    expect(server.outcomes).toEqual([true]);
  });

  it('is answered with a stream while the stream grows', async () => {
    let stream: ServerResponse | undefined;
    await using peer = await answering((_, response) => {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write('one');
    });
    await using server = await forwarding(peer.url);
    const response = await ask(server);
    const parts = response.setEncoding('utf8')[Symbol.asyncIterator]();
    expect((await parts.next()).value).toBe('one');
    stream?.end('two');
    expect((await parts.next()).value).toBe('two');
  });

  it.each([
    ['if no process listens', () => Promise.resolve('http://127.0.0.1:1')],
    ['if the host is unknown', () => Promise.resolve('http://unknown.invalid:1')],
    ['over TLS if no process listens', () => Promise.resolve('https://127.0.0.1:1')],
  ])('has certainly not been handled %s', async (_, urlOf) => {
    await using server = await forwarding(await urlOf());
    expect((await post(server, {})).statusCode).toBe(500);
    expect(server.outcomes).toEqual([false]);
  });

  it('has certainly not been handled if the process has another id', async () => {
    await using peer = await answering((request, response) => {
      request.resume();
      response.writeHead(421).end('another process');
    });
    await using server = await forwarding(peer.url);
    expect((await post(server, {})).statusCode).toBe(500);
    expect(server.outcomes).toEqual([false]);
  });

  it('may have been handled if the process ends before its answer, so a call is not repeated', async () => {
    await using peer = await answering((request) => request.resume().on('end', () => request.socket.destroy()));
    await using server = await forwarding(peer.url);
    await post(server, {});
    expect(server.outcomes).toEqual([502]);
  });

  it('can be repeated if it only opens a stream', async () => {
    await using peer = await answering((request) => request.socket.destroy());
    await using server = await forwarding(peer.url);
    await ask(server);
    expect(server.outcomes).toEqual([false]);
  });

  it('closes the connection of the client if the process ends during its answer', async () => {
    await using peer = await answering((request, response) => {
      response.writeHead(200).write('half');
      setImmediate(() => request.socket.destroySoon());
    });
    await using server = await forwarding(peer.url);
    await expect(ask(server).then(bodyOf)).rejects.toThrow(/aborted/);
    expect(server.outcomes).toEqual([true]);
  });

  it('ends when the client disconnects', async () => {
    let closed: Promise<unknown> | undefined;
    await using peer = await answering((request, response) => {
      response.writeHead(200).write('begun');
      closed = once(request.socket, 'close');
    });
    await using server = await forwarding(peer.url);
    const response = await ask(server);
    response.destroy();
    await closed;
  });
});
