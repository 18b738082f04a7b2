import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { Authenticator } from '../../src/auth/authenticator.ts';
import { JwtSource } from '../../src/auth/jwt-source.ts';
import { answering, AUDIENCE, Issuer, json } from './issuer.ts';
import { protectedBy } from './protected-by.ts';
import { recordedLog } from './recorder.ts';

const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

afterEach(() => {
  vi.useRealTimers();
});

describe('the keys of an issuer', () => {
  it.each([
    ['', OAUTH],
    ['', OPENID],
    ['/', OAUTH],
    ['/tenant', `${OAUTH}/tenant`],
    ['/tenant', `${OPENID}/tenant`],
    ['/tenant', `/tenant${OPENID}`],
    ['/tenant', `/tenant${OAUTH}`],
    ['/tenant/', `/tenant${OPENID}`],
  ])('at the path %j are found through the metadata at %s', async (path, metadata) => {
    await using issuer = await Issuer.start(path);
    issuer.answers.delete(OAUTH);
    issuer.answers.set(metadata, json(issuer.metadata()));
    await using server = await protectedBy(issuer);
    expect(await server.withToken(await issuer.token())).toMatchObject({ status: 200 });
    expect(server.lines).toEqual([]);
  });

  it('are fetched once for concurrent requests', async () => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    const token = await issuer.token();
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.withToken(token)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(issuer.asked).toEqual([OAUTH, '/keys']);
  });
});

describe('an issuer without usable keys', () => {
  it.each<[attack: string, problem: string, arrange: (issuer: Issuer) => void]>([
    [
      'missing metadata',
      `${OAUTH} responds with status 404; ORIGIN${OPENID} responds with status 404`,
      (issuer) => issuer.answers.delete(OAUTH),
    ],
    [
      'metadata naming another issuer',
      `${OAUTH} names a different issuer`,
      (issuer) => issuer.answers.set(OAUTH, json({ ...issuer.metadata(), issuer: 'https://issuer.example.org' })),
    ],
    [
      'metadata naming the issuer with another slash',
      `${OAUTH} names a different issuer`,
      (issuer) => issuer.answers.set(OAUTH, json({ ...issuer.metadata(), issuer: `${issuer.url}/` })),
    ],
    [
      'metadata that redirects',
      `${OAUTH} responds with a redirect`,
      (issuer) => issuer.answers.set(OAUTH, answering(302, { Location: `${issuer.origin}/metadata` })),
    ],
    [
      'metadata without keys',
      `${OAUTH} contains no URL of its keys`,
      (issuer) => issuer.answers.set(OAUTH, json({ issuer: issuer.url })),
    ],
    [
      'metadata with a key URL of another scheme',
      'contains a URL of its keys that is neither an https: URL',
      (issuer) => issuer.answers.set(OAUTH, json({ issuer: issuer.url, jwks_uri: 'http://192.0.2.1/keys' })),
    ],
    [
      'metadata with a file: URL of its keys',
      'contains a URL of its keys that is neither an https: URL',
      (issuer) => issuer.answers.set(OAUTH, json({ issuer: issuer.url, jwks_uri: 'file:///etc/passwd' })),
    ],
    [
      'metadata that is a list',
      `${OAUTH} names a different issuer`,
      (issuer) => issuer.answers.set(OAUTH, json([issuer.metadata()])),
    ],
    [
      'keys that redirect',
      '/keys responds with a redirect',
      (issuer) => issuer.answers.set('/keys', answering(307, { Location: `${issuer.origin}/other` })),
    ],
    ['keys that are not valid JSON', '/keys does not send valid JSON', (issuer) => issuer.answers.set('/keys', answering(200))],
    [
      'keys that are not a key set',
      '/keys does not send a JSON Web Key Set',
      (issuer) => issuer.answers.set('/keys', json({ keys: 'none' })),
    ],
    ['keys that fail', '/keys responds with status 500', (issuer) => issuer.answers.set('/keys', answering(500))],
    [
      'a response that is truncated',
      '/keys cannot be reached',
      (issuer) => issuer.answers.set('/keys', (response) => response.destroy()),
    ],
    [
      'a connection that closes in the middle of the response',
      '/keys cannot be reached',
      (issuer) => issuer.answers.set('/keys', breakOff),
    ],
    [
      'keys of 1 GB',
      '/keys sends more than 1048576 bytes',
      (issuer) => issuer.answers.set('/keys', (response) => void flood(response)),
    ],
    [
      'keys that cannot be used',
      "one of the issuer's keys cannot be used",
      (issuer) => issuer.answers.set('/keys', json({ keys: [{ ...issuer.jwk, x: 'AA' }] })),
    ],
  ])('makes the server answer 503: %s', async (_, problem, arrange) => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    arrange(issuer);
    const token = await issuer.token();
    expect(await server.withToken(token)).toEqual({
      status: 503,
      challenge: undefined,
      retryAfter: '5',
      body: 'Tokens cannot be verified at the moment',
    });
    expect(server.lines).toHaveLength(1);
    expect(server.lines[0]).toContain(`warning cannot verify tokens from ${issuer.url}: `);
    expect(server.lines[0]).toContain(problem.replaceAll('ORIGIN', issuer.origin));
  });

  it('is cut off when it sends 1 GB', async () => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    const sent = new Promise<number>((resolve) => {
      issuer.answers.set('/keys', (response) => void flood(response).then(resolve));
    });
    expect(await server.withToken(await issuer.token())).toMatchObject({ status: 503 });
    expect(await sent).toBeLessThan(64 * 1_048_576);
  });

  it.each([OAUTH, '/keys'])('is abandoned when it hangs: %s', async (path) => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer, { timeoutMs: 1000 });
    issuer.answers.set(path, () => undefined);
    expect(await server.withToken(await issuer.token())).toMatchObject({ status: 503 });
    expect(server.lines[0]).toContain(`${path} does not respond in time`);
  });

  it('is abandoned when it hangs while it sends its keys', async () => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer, { timeoutMs: 1000 });
    issuer.answers.set('/keys', (response) => response.writeHead(200).write('{"keys":['));
    expect(await server.withToken(await issuer.token())).toMatchObject({ status: 503 });
    expect(server.lines[0]).toContain('/keys does not respond in time');
  });

  it('is not followed to a redirect', async () => {
    await using issuer = await Issuer.start();
    await using other = await Issuer.start();
    issuer.answers.set('/keys', answering(302, { Location: `${other.origin}/keys` }));
    await using server = await protectedBy(issuer);
    expect(await server.withToken(await other.token({ iss: issuer.url }))).toMatchObject({ status: 503 });
    expect(other.asked).toEqual([]);
  });

  it('may be unreachable', async () => {
    const issuer = await Issuer.start();
    const token = await issuer.token();
    await using server = await protectedBy({ url: issuer.url });
    await issuer[Symbol.asyncDispose]();
    expect(await server.withToken(token)).toMatchObject({ status: 503 });
    expect(server.lines[0]).toContain('cannot be reached (ECONNREFUSED)');
  });

  it('receives no request for five seconds after a failure, and then the next one', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    await using issuer = await Issuer.start();
    issuer.answers.set('/keys', answering(500));
    await using server = await protectedBy(issuer);
    const token = await issuer.token();
    for (let count = 0; count < 3; count += 1) expect(await server.withToken(token)).toMatchObject({ status: 503 });
    expect(issuer.asked).toEqual([OAUTH, '/keys']);
    expect(server.lines).toHaveLength(1);
    issuer.answers.set('/keys', json({ keys: [issuer.jwk] }));
    vi.advanceTimersByTime(5000);
    expect(await server.withToken(token)).toMatchObject({ status: 200 });
  });

  it('does not affect tokens with known keys', async () => {
    await using issuer = await Issuer.start();
    await using server = await protectedBy(issuer);
    const token = await issuer.token();
    expect(await server.withToken(token)).toMatchObject({ status: 200 });
    issuer.answers.clear();
    expect(await server.withToken(token)).toMatchObject({ status: 200 });
  });
});

describe('the line of check about an issuer', () => {
  it('counts the published keys', async () => {
    await using issuer = await Issuer.start();
    expect(await diagnosed(issuer)).toEqual({ subject: `issuer ${issuer.url}`, ok: true, detail: 'keys: 1' });
  });

  it('explains why no keys are available', async () => {
    await using issuer = await Issuer.start();
    issuer.answers.set('/keys', answering(500));
    expect(await diagnosed(issuer)).toEqual({
      subject: `issuer ${issuer.url}`,
      ok: false,
      detail: `${issuer.origin}/keys responds with status 500`,
    });
  });
});

async function diagnosed(issuer: Issuer): ReturnType<Authenticator['diagnose']> {
  const source = await JwtSource.open({ issuer: issuer.url, audience: AUDIENCE, log: recordedLog().log });
  return new Authenticator(source, []).diagnose();
}

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': '100' });
  response.write('{"keys":[', () => response.destroy());
}

/**
 * Sends up to 1 GiB as fast as the receiver reads. Resolves to the number of bytes that were sent before the receiver closed the
 * connection, or to infinity if the connection stayed open.
 */
async function flood(response: ServerResponse): Promise<number> {
  const closed = once(response, 'close').then(() => true);
  const chunk = Buffer.alloc(65_536, ' ');
  response.writeHead(200);
  for (let sent = 0; sent < 1_073_741_824; sent += chunk.length) {
    if (response.write(chunk)) continue;
    if (await Promise.race([closed, once(response, 'drain').then(() => false)])) return sent;
  }
  return Number.POSITIVE_INFINITY;
}
