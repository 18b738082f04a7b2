import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { ENVELOPE } from '../../support/wire.ts';
import { HttpClient, initialize, messageOf, post } from '../../support/http/http-client.ts';
import { head, RawConnection, statusOf } from '../../support/http/raw-connection.ts';
import { serve, type Served } from '../../support/http/served.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

function headers(served: Served, ...more: readonly string[]): readonly string[] {
  return [`Host: ${served.host}`, 'Content-Type: application/json', 'Accept: */*', ...more];
}

describe('a body of 1 GiB', () => {
  it('is rejected by its declared length before it is sent, and its client has time to read the reason', async () => {
    await using served = await serve();
    using connection = await RawConnection.to(served.url);
    connection.write(head('POST /mcp', headers(served, `Content-Length: ${GIB}`)));
    const answer = await connection.until(/--max-message\)"\}\}/);
    expect(statusOf(answer)).toBe(413);
    expect(answer).toMatch(/^connection: close$/im);
    await HttpClient.open(served.url);
    // If the server closed the connection while the client still sends, the client might see only a connection error. So the
    // connection stays open for a short time.
    expect(connection.isOpen).toBe(true);
    expect(answer).toContain('{"jsonrpc":"2.0","error":{"code":-32600,"message":"The body is larger than 10485760 bytes');
    await connection.closed;
  });

  it('is rejected when more than the limit has arrived, and the rest is neither read nor kept', async () => {
    await using served = await serve({ maxBody: MIB });
    using connection = await RawConnection.to(served.url);
    const memory = memoryUsed();
    connection.write(head('POST /mcp', headers(served, 'Transfer-Encoding: chunked')));
    const chunk = Buffer.alloc(MIB, 0x20);
    const frame = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
    let sent = 0;
    while (sent < GIB && !connection.socket.destroyed && !connection.received.includes('\r\n\r\n')) {
      sent += MIB;
      if (!connection.socket.write(frame)) await Promise.race([once(connection.socket, 'drain'), connection.until(/\r\n\r\n/)]);
    }
    expect(statusOf(connection.received)).toBe(413);
    // More than the limit of 1 MiB can be sent, because the kernel and Node buffer data of a connection.
    expect(sent).toBeLessThan(32 * MIB);
    expect(memoryUsed() - memory).toBeLessThan(64 * MIB);
    await connection.closed;
  });

  it('is rejected early enough that fetch() receives the reason', async () => {
    await using served = await serve({ maxBody: MIB });
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(served.url, ' '.repeat(24 * MIB))));
    for (const answer of answers)
      expect([answer.status, await messageOf(answer)]).toMatchObject([413, { error: { code: -32_600 } }]);
  });
});

describe('a body', () => {
  it.each([
    ['of exactly the maximum size', 0, 200],
    ['of one byte more than the maximum size', 1, 413],
  ])('%s has the expected status', async (_, more, status) => {
    const maxBody = 1000;
    await using served = await serve({ maxBody });
    const message = JSON.stringify(initialize('2025-11-25'));
    const body = message + ' '.repeat(maxBody + more - message.length);
    const answers = [await post(served.url, body), await postChunked(served.url, body)];
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    await Promise.all(answers.map((answer) => answer.text()));
  });

  it('is read even if it arrives byte by byte', async () => {
    await using served = await serve();
    using connection = await RawConnection.to(served.url);
    connection.socket.setNoDelay(true);
    const body = JSON.stringify(initialize('2025-11-25'));
    connection.write(head('POST /mcp', headers(served, 'Transfer-Encoding: chunked')));
    for (const byte of body) {
      connection.write(`1\r\n${byte}\r\n`);
      await new Promise(setImmediate);
    }
    connection.write('0\r\n\r\n');
    expect(statusOf(await connection.until(/\r\n\r\n/))).toBe(200);
  });

  it('does not affect other requests if it is aborted', async () => {
    await using served = await serve();
    for (const length of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
      using connection = await RawConnection.to(served.url);
      connection.write(`${head('POST /mcp', headers(served, length))}1\r\n{\r\n`);
      connection.socket.destroySoon();
      await connection.closed;
    }
    const client = await HttpClient.open(served.url);
    expect(await client.call('say', { text: 'still here' })).toBe('still here');
    expect(served.errors).not.toHaveBeenCalled();
  });

  it.each([
    'text/plain',
    'text/plain; a=application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-seq',
    'application/jsonp',
    '',
  ])('of the type %j, as a form can send it, is rejected', async (type) => {
    await using served = await serve();
    const response = await post(served.url, JSON.stringify(initialize('2025-11-25')), { headers: { 'content-type': type } });
    expect(response.status).toBe(415);
    expect(await messageOf(response)).toMatchObject({ error: { message: 'The Content-Type must be application/json' } });
    expect(served.service.gauges.sessions).toBe(0);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;'])(
    'of the type %j is read',
    async (type) => {
      await using served = await serve();
      const response = await post(served.url, JSON.stringify(initialize('2025-11-25')), { headers: { 'content-type': type } });
      expect(response.status).toBe(200);
      await response.text();
    },
  );

  it('that is rejected unread leaves its connection usable, if it is short', async () => {
    await using served = await serve();
    using connection = await RawConnection.to(served.url);
    const refused = head('POST /unknown', headers(served, 'Content-Length: 1000')) + 'x'.repeat(1000);
    const opening = JSON.stringify(initialize('2025-11-25'));
    connection.write(refused);
    expect(statusOf(await connection.until(/\r\n\r\n/))).toBe(404);
    connection.write(head('POST /mcp', headers(served, `Content-Length: ${opening.length}`)) + opening);
    expect(await connection.until(/HTTP\/1.1 200 OK/)).not.toMatch(/connection: close/i);
  });
});

describe('an invalid body:', () => {
  const DEEP = 200_000;
  const WIDE = 300_000;

  it.each([
    ['invalid JSON', '{', 400, -32_700],
    ['empty text', '', 400, -32_700],
    ['deeply nested, unclosed arrays', '['.repeat(DEEP), 400, -32_700],
    ['deeply nested arrays', '['.repeat(DEEP) + ']'.repeat(DEEP), 400, -32_600],
    ['a string', '"initialize"', 400, -32_600],
    ['null', 'null', 400, -32_600],
    ['an object that is not a message', '{"hello":"world"}', 400, -32_600],
    [
      'a batch of 300,000 messages',
      JSON.stringify(Array.from({ length: WIDE }, () => ({ jsonrpc: '2.0', method: 'x' }))),
      400,
      -32_600,
    ],
    ['a message with another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32_600],
    ['a response without a request', '{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32_600],
  ])('%s is rejected immediately', async (_, body, status, code) => {
    await using served = await serve();
    const response = await post(served.url, body);
    const answers = [[response.status, (await messageOf(response)).error?.code]];
    const client = await HttpClient.open(served.url);
    expect(answers).toEqual([[status, code]]);
    expect(await client.call('say', { text: 'still here' })).toBe('still here');
  });

  it.each(['arguments', '_meta'])('deep nesting in %s does not affect other requests', async (member) => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const deep = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
    const envelope = JSON.stringify(ENVELOPE).slice(0, -1);
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'say' };
    for (const [headers, meta] of [
      [client.headers, '{'],
      [modern, `${envelope},`],
    ] as const) {
      const members = member === 'arguments' ? `"arguments":${deep},"_meta":${meta}"b":1}` : `"_meta":${meta}"a":${deep}}`;
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say",${members}}}`;
      const response = await post(served.url, body, { headers });
      expect([200, 400]).toContain(response.status);
      await response.text();
    }
    expect(served.errors).not.toHaveBeenCalled();
    expect(await client.call('say', { text: 'still here' })).toBe('still here');
  });

  it('prototype keys change no prototype', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const evil = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const bodies = [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"x","__proto__":{"polluted":true}}}}`,
      `{"jsonrpc":"2.0","id":2,"method":"__proto__","params":${evil}}`,
      `{"jsonrpc":"2.0","id":"__proto__","method":"ping","params":{"_meta":${evil}}}`,
      `{"__proto__":{"jsonrpc":"2.0","id":3,"method":"initialize"}}`,
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"__proto__"}}`,
    ];
    const statuses = [];
    for (const body of bodies) {
      const response = await post(served.url, body, { headers: client.headers });
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses).toEqual([200, 200, 200, 400, 202]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('polluted' in {}).toBe(false);
    expect(await client.call('say', { text: 'still here' })).toBe('still here');
  });
});

function memoryUsed(): number {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

/** Posts a body in chunks, without a Content-Length. */
function postChunked(url: string, body: string): Promise<Response> {
  const pieces = new Blob([body]).stream();
  const headers = { 'content-type': 'application/json', accept: '*/*' };
  return fetch(url, { method: 'POST', body: pieces, duplex: 'half', headers });
}
