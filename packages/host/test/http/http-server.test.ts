import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';

import { describe, expect, it, vi } from 'vitest';

import { Connections } from '../../src/http/connections.ts';
import { RequestGuard } from '../../src/http/request-guard.ts';
import { HttpServer } from '../../src/http/http-server.ts';
import { Router, type Route } from '../../src/http/router.ts';

const MIB = 1024 ** 2;
const TIMEOUTS = { headers: 10_000, request: 60_000 };

type Answer = Route['serve'];

/** Starts a server with one route; `await using` closes the server. */
async function serving(serve: Answer, timeouts = TIMEOUTS) {
  const onError = vi.fn<(error: unknown) => void>();
  const guard = new RequestGuard({ allowedHosts: ['127.0.0.1'], allowedOrigins: [] });
  const connections = new Connections();
  const router = new Router({ routes: new Map([['/', { serve }]]), guard, onError });
  const server = new HttpServer({ router, timeouts, connections, maxConnections: 100, onError });
  const { port } = await server.listen('127.0.0.1', 0);
  return { port, onError, server, [Symbol.asyncDispose]: () => server.close() };
}

async function get(port: number): Promise<IncomingMessage> {
  const [answer]: IncomingMessage[] = await once(request({ port, host: '127.0.0.1', agent: false }).end(), 'response');
  if (answer === undefined) throw new Error('there was no answer');
  return answer;
}

describe('an HTTP server', () => {
  it.each<[string, Answer]>([
    ['throws', () => Promise.reject(new Error('the secret'))],
    [
      'throws synchronously',
      () => {
        throw new Error('the secret');
      },
    ],
  ])('answers with 500 and without a reason if a route %s', async (_, serve) => {
    await using served = await serving(serve);
    const answer = await get(served.port);
    const [body] = await once(answer.setEncoding('utf8'), 'data');
    expect([answer.statusCode, JSON.parse(body)]).toEqual([
      500,
      { jsonrpc: '2.0', error: { code: -32_603, message: 'Internal server error' } },
    ]);
    expect(served.onError.mock.calls).toEqual([[new Error('the secret')]]);
  });

  it('closes the connection if a route throws in the middle of a response', async () => {
    await using served = await serving(async (_, response) => {
      response.write('half');
      await new Promise(setImmediate);
      throw new Error('halfway');
    });
    const answer = await get(served.port);
    await expect(once(answer.resume(), 'end')).rejects.toThrow('aborted');
    expect(served.onError).toHaveBeenCalledOnce();
  });

  it('disconnects a client that does not read its response, but not one that waits for it', async () => {
    const size = 32 * MIB;
    let disconnected: () => void = () => undefined;
    const stalled = new Promise<void>((resolve) => {
      disconnected = resolve;
    });
    const serve = async ({ headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (headers['x-stalls'] === 'yes') response.once('close', disconnected).end(Buffer.alloc(size));
      else {
        await stalled;
        response.end('patience');
      }
    };
    await using served = await serving(serve, { headers: 200, request: 200 });
    const waiting = get(served.port);
    const socket = connect(served.port, '127.0.0.1').on('error', () => undefined);
    socket.pause().write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Stalls: yes\r\n\r\n');
    const [body] = await once((await waiting).setEncoding('utf8'), 'data');
    expect(body).toBe('patience');
    await once(socket.resume(), 'close');
    expect(socket.bytesRead).toBeLessThan(size);
  });

  it('closes idle connections after their response', async () => {
    await using served = await serving((_, response) => void response.end('x'));
    const socket = connect(served.port, '127.0.0.1').setEncoding('utf8');
    const closed = once(socket, 'close');
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket, 'data');
    await served.server.close();
    await closed;
  });
});
