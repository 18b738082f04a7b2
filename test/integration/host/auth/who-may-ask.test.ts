import { describe, expect, it } from 'vitest';

import { HttpClient, initialize, post } from '../../support/http/http-client.ts';
import { head, RawConnection, sendRaw, statusOf } from '../../support/http/raw-connection.ts';
import { serve } from '../../support/http/served.ts';

const BODY = JSON.stringify(initialize('2025-11-25'));
const JSON_HEADERS = [
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  `Content-Length: ${BODY.length}`,
];

/** Returns a request that opens a session, unless its headers cause an error. */
function opening(headers: readonly string[]): string {
  return head('POST /mcp', [...headers, ...JSON_HEADERS]) + BODY;
}

describe('the Host header of a request', () => {
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
  ])('%j results in status %i', async (host, status) => {
    await using served = await serve();
    const answer = await sendRaw(served.url, opening([`Host: ${host}`]));
    expect(statusOf(answer)).toBe(status);
    expect(served.service.gauges.sessions).toBe(status === 200 ? 1 : 0);
  });

  it('is required exactly once', async () => {
    await using served = await serve();
    const without = [opening([]), opening([]).replace('HTTP/1.1', 'HTTP/1.0')];
    const statuses = [];
    for (const request of [...without, opening(['Host: localhost', 'Host: attacker.example'])])
      statuses.push(statusOf(await sendRaw(served.url, request)));
    expect(statuses).toEqual([400, 403, 400]);
  });

  it('is compared with the allowed names in any spelling', async () => {
    await using served = await serve({ allowedHosts: ['Files.Example', '[0:0::1]'] });
    const statuses = [];
    for (const host of ['files.example:3000', 'FILES.EXAMPLE', '[::1]:3000', 'localhost'])
      statuses.push(statusOf(await sendRaw(served.url, opening([`Host: ${host}`]))));
    expect(statuses).toEqual([200, 200, 200, 403]);
  });

  it('may have any value if all host names are allowed', async () => {
    await using served = await serve({ allowedHosts: ['*'] });
    expect(statusOf(await sendRaw(served.url, opening(['Host: attacker.example'])))).toBe(200);
  });
});

describe('the Origin header of a request', () => {
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
  ])('%j results in status %i', async (origin, status) => {
    await using served = await serve();
    const answer = await sendRaw(served.url, opening([`Host: ${served.host}`, `Origin: ${origin}`]));
    expect(statusOf(answer)).toBe(status);
    expect(/^access-control-allow-origin: (.*)$/im.exec(answer)?.[1]).toBe(status === 200 ? origin : undefined);
  });

  it('must not occur twice', async () => {
    await using served = await serve();
    const origins = ['Origin: http://localhost', 'Origin: http://attacker.example'];
    expect(statusOf(await sendRaw(served.url, opening([`Host: ${served.host}`, ...origins])))).toBe(403);
  });

  it('may be a browser extension that is allowed by its id or by its scheme', async () => {
    await using served = await serve({ allowedOrigins: ['moz-extension://*', 'abcdef'] });
    const statuses = [];
    for (const origin of ['moz-extension://any-id', 'chrome-extension://abcdef', 'chrome-extension://another'])
      statuses.push((await post(served.url, BODY, { headers: { origin } })).status);
    expect(statuses).toEqual([200, 200, 403]);
  });

  it('is checked on every path, known or unknown, before the body is read', async () => {
    await using served = await serve({ sse: true });
    for (const path of ['/mcp', '/sse', '/messages', '/unknown']) {
      using connection = await RawConnection.to(served.url);
      // The body is never sent, so the server can answer only if it checks the header before it reads the body.
      connection.write(head(`POST ${path}`, [`Host: ${served.host}`, 'Origin: http://attacker.example', 'Content-Length: 10']));
      expect(statusOf(await connection.until(/\r\n\r\n/))).toBe(403);
    }
  });
});

describe('an option with allowed names', () => {
  it.each([
    { allowedHosts: ['example.com:3000'] },
    { allowedHosts: ['http://example.com'] },
    { allowedHosts: [''] },
    { allowedHosts: ['example.com/'] },
    { allowedOrigins: ['https://example.com'] },
    { allowedOrigins: ['http://*'] },
    { allowedOrigins: ['*'] },
    { allowedOrigins: ['user@example.com'] },
  ])('rejects an entry that is not a name: %j', async (options) => {
    await expect(serve(options)).rejects.toThrow(/is not a valid host name such as/);
  });
});

describe('a page of an allowed origin', () => {
  const ORIGIN = 'http://localhost:5173';

  it('may send every header that it requests', async () => {
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

  it('may read its session id and the headers of an error response', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { headers: { origin: ORIGIN } });
    const [listening, refused] = [await client.get(), await client.get({ 'last-event-id': 'x' })];
    for (const { headers } of [listening, refused]) {
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-expose-headers')).toBe('Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate');
    }
    await listening.body?.cancel();
  });

  it.each(['http://attacker.example', 'null'])('does not include %s, whose preflight request is rejected', async (origin) => {
    await using served = await serve();
    const response = await fetch(served.url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
