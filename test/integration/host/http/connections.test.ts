import { describe, expect, it } from 'vitest';

import { ENVELOPE } from '../../support/wire.ts';
import { HttpClient, initialize } from '../../support/http/http-client.ts';
import { head, RawConnection, sendRaw, statusOf } from '../../support/http/raw-connection.ts';
import { serve, type Served } from '../../support/http/served.ts';

const OPENING = JSON.stringify(initialize('2025-11-25'));

function post(served: Served, body: string, ...headers: readonly string[]): string {
  const given = [`Host: ${served.host}`, 'Content-Type: application/json', `Content-Length: ${body.length}`, ...headers];
  return head('POST /mcp', given) + body;
}

describe('a path', () => {
  it.each([
    '/',
    '/mcp/',
    '//mcp',
    '/mcp/../mcp',
    '/x/../mcp',
    '/./mcp',
    '/%6dcp',
    '/mcp%2f',
    '/mcp%00',
    '/mcp;x',
    '/MCP',
    '/mcp#x',
    '\\mcp',
    '*',
    'http://localhost/mcp',
    'http://attacker.example/mcp',
    '/sse',
    '/messages',
    '/__proto__',
    '/constructor',
  ])('%s results in 404', async (path) => {
    await using served = await serve();
    const body = `Content-Length: ${OPENING.length}`;
    const headers = [`Host: ${served.host}`, 'Content-Type: application/json', body];
    const status = statusOf(await sendRaw(served.url, head(`POST ${path}`, headers) + OPENING));
    expect([400, 404]).toContain(status);
    expect(served.service.gauges.sessions).toBe(0);
  });

  it('may have a query, which is ignored', async () => {
    await using served = await serve();
    const client = await HttpClient.open(`${served.url}?token=x&y`);
    expect(await client.call('say', { text: 'hello' })).toBe('hello');
  });
});

describe('a method', () => {
  it.each(['PUT', 'PATCH', 'HEAD', 'TRACE', 'PROPFIND', 'SUBSCRIBE'])(
    '%s is rejected with a list of the supported methods',
    async (method) => {
      await using served = await serve({ sse: true });
      const allowed = [];
      for (const path of ['/mcp', '/sse', '/messages', '/healthz']) {
        const answer = await sendRaw(served.url, head(`${method} ${path}`, [`Host: ${served.host}`]));
        allowed.push(`${statusOf(answer)} ${/^allow: (.*)$/im.exec(answer)?.[1]}`);
      }
      const probe = method === 'HEAD' ? '200 undefined' : '405 GET, HEAD';
      expect(allowed).toEqual(['405 GET, POST, DELETE', '405 GET', '405 POST', probe]);
    },
  );

  it('that is not valid is rejected by the connection', async () => {
    await using served = await serve();
    for (const line of ['BREW /mcp', 'GET', 'CONNECT localhost:80']) {
      using connection = await RawConnection.to(served.url);
      connection.write(head(line, [`Host: ${served.host}`]));
      expect(await connection.all()).not.toMatch(/^HTTP\/1\.1 200/);
    }
  });
});

describe('a connection', () => {
  it('continues as HTTP after a request to upgrade', async () => {
    await using served = await serve();
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13'];
    const answer = await sendRaw(served.url, head('GET /mcp', [`Host: ${served.host}`, 'Accept: */*', ...upgrade]));
    expect(statusOf(answer)).toBe(400);
    expect(await sendRaw(served.url, post(served, OPENING, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'))).toMatch(
      /^HTTP\/1\.1 200/,
    );
  });

  it('receives the responses to pipelined requests in order, one call after the other', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const session = Object.entries(client.headers).map(([name, value]) => `${name}: ${value}`);
    const call = (id: number, name: string, text: string): string =>
      post(
        served,
        JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { text } } }),
        ...session,
      );
    using connection = await RawConnection.to(served.url);
    connection.write(call(1, 'wait', 'first') + call(2, 'say', 'second') + call(3, 'wait', 'third') + call(4, 'say', 'fourth'));
    const first = await served.station.calls.next();
    expect(connection.received).not.toContain('second');
    first.end('the first result');
    (await served.station.calls.next()).end('the third result');
    const answers = await connection.until(/fourth/);
    const order = ['the first result', 'second', 'the third result', 'fourth'].map((text) => answers.indexOf(text));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(served.station.calls.all).toHaveLength(2);
  });

  it('discards its pipelined requests when it closes', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const session = Object.entries(client.headers).map(([name, value]) => `${name}: ${value}`);
    const stream = head('GET /mcp', [`Host: ${served.host}`, 'Accept: text/event-stream', ...session]);
    const call = (id: number): string =>
      post(
        served,
        JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait', arguments: { text: 'x' } } }),
        ...session,
      );
    using connection = await RawConnection.to(served.url);
    connection.write(stream + call(1) + call(2));
    await connection.until(/text\/event-stream/);
    connection.socket.destroy();
    await connection.closed;
    await expect.poll(async () => (await client.get()).status).toBe(200);
    expect(served.station.calls.all).toEqual([]);
  });

  it('is closed if too many requests are pipelined', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const session = Object.entries(client.headers).map(([name, value]) => `${name}: ${value}`);
    const stream = head('GET /mcp', [`Host: ${served.host}`, 'Accept: text/event-stream', ...session]);
    using connection = await RawConnection.to(served.url);
    connection.write(stream);
    await connection.until(/text\/event-stream/);
    connection.write(head('GET /healthz', [`Host: ${served.host}`]).repeat(100_000));
    await connection.closed;
    expect(await client.call('say', { text: 'still here' })).toBe('still here');
  });
});

describe('connections', () => {
  it('above the limit are closed, counted and reported once, until a connection with a request ends', async () => {
    await using served = await serve({ maxConnections: 2 });
    const params = { name: 'wait', arguments: { text: 'x' }, _meta: ENVELOPE };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = ['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: wait'];
    using first = await RawConnection.to(served.url);
    using second = await RawConnection.to(served.url);
    for (const connection of [first, second]) {
      connection.write(post(served, call, ...headers));
      await served.station.calls.next();
    }
    for (let time = 1; time <= 3; time += 1) {
      using further = await RawConnection.to(served.url);
      expect(await further.all()).toBe('');
    }
    expect(served.service.gauges).toMatchObject({ connections: 2, refused: { connections: 3 } });
    expect(served.errors.mock.calls).toEqual([
      [
        new Error(
          'the maximum of 2 connections is open (--max-http-connections); a new connection replaces an idle one or is closed',
        ),
      ],
    ]);
    first.socket.destroy();
    await expect.poll(() => served.service.gauges.connections).toBe(1);
    expect(statusOf(await sendRaw(served.url, head('GET /healthz', [`Host: ${served.host}`])))).toBe(200);
    served.station.calls.all[1]?.end('the result');
    expect(await second.until(/the result/)).toMatch(/^HTTP\/1\.1 200/);
  });

  it('that are idle are closed for new connections, the least recently used connection first', async () => {
    await using served = await serve({ maxConnections: 2 });
    const probe = head('GET /healthz', [`Host: ${served.host}`]);
    using first = await RawConnection.to(served.url);
    first.write(probe);
    await first.until(/\bok\b/);
    using second = await RawConnection.to(served.url);
    second.write(probe);
    await second.until(/\bok\b/);
    first.write(probe);
    await first.until(/(?:\bok\b[^]*){2}/);
    expect(statusOf(await sendRaw(served.url, probe))).toBe(200);
    await second.closed;
    first.write(probe);
    await first.until(/(?:\bok\b[^]*){3}/);
  });
});

describe('headers', () => {
  it.each([
    ['a header that is too long', [`X-Long: ${'x'.repeat(20_000)}`], 431],
    ['many headers that are too long together', Array.from({ length: 3000 }, (_, n) => `X-${n}: ${n}`), 431],
    ['two Content-Length headers', ['Content-Length: 1', 'Content-Length: 2'], 400],
    ['Content-Length and Transfer-Encoding together', ['Content-Length: 1', 'Transfer-Encoding: chunked'], 400],
    ['a Content-Length that is not a number', ['Content-Length: -1'], 400],
    ['a smuggled line', ['X-Good: a\nX-Smuggled: b\r'], 400],
    ['a header without a name', [': x'], 400],
    ['two different session ids', ['Mcp-Session-Id: a', 'Mcp-Session-Id: b'], 404],
    ['an unusual expectation', ['Expect: a-miracle'], 417],
  ])('with %s are rejected', async (_, headers, status) => {
    await using served = await serve();
    const answer = await sendRaw(served.url, head('GET /mcp', [`Host: ${served.host}`, 'Accept: */*', ...headers]));
    expect(statusOf(answer)).toBe(status);
  });

  it('with a URL that is too long are rejected', async () => {
    await using served = await serve();
    const answer = await sendRaw(served.url, head(`GET /mcp?${'x'.repeat(100_000)}`, [`Host: ${served.host}`]));
    expect(statusOf(answer)).toBe(431);
  });

  it('with a repeated session id are rejected', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const twice = [`Mcp-Session-Id: ${client.sessionId}`, `Mcp-Session-Id: ${client.sessionId}`];
    const answer = await sendRaw(served.url, head('GET /mcp', [`Host: ${served.host}`, 'Accept: */*', ...twice]));
    expect(statusOf(answer)).toBe(404);
  });
});

describe('a slow client', () => {
  const TIMES = { headersTimeout: 1000, requestTimeout: 2000 };

  it('is disconnected if it drips its headers, like a hundred others, and other clients are served', async () => {
    await using served = await serve(TIMES);
    const slow = await Promise.all(Array.from({ length: 100 }, () => RawConnection.to(served.url)));
    for (const connection of slow) connection.write(`POST /mcp HTTP/1.1\r\nHost: ${served.host}\r\nX-Slow: `);
    const client = await HttpClient.open(served.url);
    expect(await client.call('say', { text: 'served' })).toBe('served');
    const dripping = setInterval(() => slow.forEach((connection) => connection.write('x')), 50);
    const answers = await Promise.all(slow.map((connection) => connection.all()));
    clearInterval(dripping);
    expect(new Set(answers.map(statusOf))).toEqual(new Set([408]));
    expect(await client.call('say', { text: 'served' })).toBe('served');
  });

  it('is disconnected if it sends nothing, without an answer that a client could take for that of its next request', async () => {
    await using served = await serve(TIMES);
    const unused = await Promise.all(Array.from({ length: 20 }, () => RawConnection.to(served.url)));
    expect(new Set(await Promise.all(unused.map((connection) => connection.all())))).toEqual(new Set(['']));
  });

  it('is disconnected if it drips its body', async () => {
    await using served = await serve(TIMES);
    using connection = await RawConnection.to(served.url);
    const headers = [`Host: ${served.host}`, 'Content-Type: application/json', 'Content-Length: 1000'];
    connection.write(head('POST /mcp', headers));
    const dripping = setInterval(() => connection.write(' '), 50);
    const answer = await connection.all();
    clearInterval(dripping);
    expect(statusOf(answer)).toBe(408);
  });

  it('may have a time limit for requests that is shorter than the default limit for headers', async () => {
    await using served = await serve({ requestTimeout: 300 });
    using connection = await RawConnection.to(served.url);
    connection.write('POST /mcp HTTP/1.1\r\n');
    await connection.closed;
  });
});
