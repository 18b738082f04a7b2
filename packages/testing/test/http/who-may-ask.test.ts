import { describe, expect, it } from 'vitest';

import { HttpClient, initialize, post } from './http-client.ts';
import { head, RawConnection, sendRaw, statusOf } from './raw-connection.ts';
import { serve } from './served.ts';

const BODY = JSON.stringify(initialize('2025-11-25'));
const JSON_HEADERS = [
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  `Content-Length: ${BODY.length}`,
];

/** A request that opens a session, unless its own headers keep it from that. */
function opening(headers: readonly string[]): string {
  return head('POST /mcp', [...headers, ...JSON_HEADERS]) + BODY;
}

describe('a request by its Host header', () => {
  it.each([
    ['localhost', 200],
    ['LocalHost', 200],
    ['localhost:3000', 200],
    ['127.0.0.1:3000', 200],
    ['[::1]', 200],
    ['[::1]:3000', 200],
    ['[0:0:0:0:0:0:0:1]:3000', 200],
    ['attacker.example', 403],
    ['attacker.example:3000', 403],
    ['localhost.attacker.example', 403],
    ['localhost.', 403],
    ['attacker.example@localhost', 403],
    ['localhost@attacker.example', 403],
    ['localhost:3000@attacker.example', 403],
    ['localhost/attacker.example', 403],
    ['localhost?attacker.example', 403],
    ['localhost#attacker.example', 403],
    ['localhost, attacker.example', 403],
    ['localhost:', 403],
    ['localhost:999999', 403],
    ['%6cocalhost', 403],
    ['[::2]', 403],
    ['::1', 403],
    ['*', 403],
    ['', 403],
  ])('%j is answered with %i', async (host, status) => {
    await using served = await serve();
    const answer = await sendRaw(served.url, opening([`Host: ${host}`]));
    expect(statusOf(answer)).toBe(status);
    expect(served.service.gauges.sessions).toBe(status === 200 ? 1 : 0);
  });

  it('is refused without one, and with two', async () => {
    await using served = await serve();
    const without = [opening([]), opening([]).replace('HTTP/1.1', 'HTTP/1.0')];
    const statuses = [];
    for (const request of [...without, opening(['Host: localhost', 'Host: attacker.example'])])
      statuses.push(statusOf(await sendRaw(served.url, request)));
    expect(statuses).toEqual([400, 403, 400]);
  });

  it('is compared with the names that are allowed, however they are written', async () => {
    await using served = await serve({ allowedHosts: ['Files.Example', '[0:0::1]'] });
    const statuses = [];
    for (const host of ['files.example:3000', 'FILES.EXAMPLE', '[::1]:3000', 'localhost'])
      statuses.push(statusOf(await sendRaw(served.url, opening([`Host: ${host}`]))));
    expect(statuses).toEqual([200, 200, 200, 403]);
  });

  it('may be any where every name is allowed', async () => {
    await using served = await serve({ allowedHosts: ['*'] });
    expect(statusOf(await sendRaw(served.url, opening(['Host: attacker.example'])))).toBe(200);
  });
});

describe('a request by its Origin header', () => {
  it.each([
    ['http://localhost:5173', 200],
    ['https://127.0.0.1', 200],
    ['http://[::1]:8080', 200],
    ['http://attacker.example', 403],
    ['http://localhost.attacker.example', 403],
    ['http://localhost@attacker.example', 403],
    ['http://attacker.example@localhost', 403],
    ['http://attacker.example#localhost', 403],
    ['http://localhost, http://attacker.example', 403],
    ['http://localhost/, http://attacker.example', 403],
    ['http://localhost/', 403],
    ['http://127.0.0.1.attacker.example', 403],
    ['localhost', 403],
    ['null', 403],
    ['file://', 403],
    ['http://', 403],
    ['http://*', 403],
  ])('%j is answered with %i', async (origin, status) => {
    await using served = await serve();
    const answer = await sendRaw(served.url, opening([`Host: ${served.host}`, `Origin: ${origin}`]));
    expect(statusOf(answer)).toBe(status);
    expect(/^access-control-allow-origin: (.*)$/im.exec(answer)?.[1]).toBe(status === 200 ? origin : undefined);
  });

  it('is refused if it has two', async () => {
    await using served = await serve();
    const origins = ['Origin: http://localhost', 'Origin: http://attacker.example'];
    expect(statusOf(await sendRaw(served.url, opening([`Host: ${served.host}`, ...origins])))).toBe(403);
  });

  it('may be an extension, one or all of a browser', async () => {
    await using served = await serve({ allowedOrigins: ['moz-extension://*', 'abcdef'] });
    const statuses = [];
    for (const origin of ['moz-extension://any-id', 'chrome-extension://abcdef', 'chrome-extension://another'])
      statuses.push((await post(served.url, BODY, { headers: { origin } })).status);
    expect(statuses).toEqual([200, 200, 403]);
  });

  it('is refused on every path, known or not, before anything is read', async () => {
    await using served = await serve({ sse: true });
    for (const path of ['/mcp', '/sse', '/messages', '/unknown']) {
      using connection = await RawConnection.to(served.url);
      // The body never comes.
      connection.write(head(`POST ${path}`, [`Host: ${served.host}`, 'Origin: http://attacker.example', 'Content-Length: 10']));
      expect(statusOf(await connection.until(/\r\n\r\n/))).toBe(403);
    }
  });
});

describe('what is allowed', () => {
  it.each([
    { allowedHosts: ['example.com:3000'] },
    { allowedHosts: ['http://example.com'] },
    { allowedHosts: [''] },
    { allowedHosts: ['example.com/'] },
    { allowedOrigins: ['https://example.com'] },
    { allowedOrigins: ['http://*'] },
    { allowedOrigins: ['*'] },
    { allowedOrigins: ['user@example.com'] },
  ])('has to be names: %j is an error', async (options) => {
    await expect(serve(options)).rejects.toThrow(/is not a host name alone/);
  });
});

describe('a page of an allowed origin', () => {
  const ORIGIN = 'http://localhost:5173';

  it('is told what it may send, whatever headers it asks for', async () => {
    await using served = await serve();
    const headers = {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-param-region',
    };
    const response = await fetch(served.url, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'content-type, mcp-param-region',
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
  });

  it('may read its session id and why it is refused', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { headers: { origin: ORIGIN } });
    const [listening, refused] = [await client.get(), await client.get({ 'last-event-id': 'x' })];
    for (const { headers } of [listening, refused]) {
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-expose-headers')).toBe('Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate');
    }
    await listening.body?.cancel();
  });

  it.each(['http://attacker.example', 'null'])('is not one of %s, whose preflight is refused', async (origin) => {
    await using served = await serve();
    const response = await fetch(served.url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
