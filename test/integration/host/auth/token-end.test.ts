import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { AuthInfo } from '@modelcontextprotocol/server';
import { Authenticator } from '@org/mcp-host';
import { startProgram } from '@org/mcp-testing';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';
import { NOTE } from '../replicas/several-server.ts';
import { CountingAuthenticator } from '../../support/http/counting-authenticator.ts';
import { EventReader } from '../../support/http/event-reader.ts';
import { HttpClient, post, postModern, request, toolCall } from '../../support/http/http-client.ts';
import { bearer, serve, type Served } from '../../support/http/served.ts';
import { Tokens } from '../../support/http/tokens.ts';

const URI = 'station://a';
const LISTEN = { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: [URI] } } };
const ADA = bearer('ada');

/** Opens a stream with the token `ada`. Resolves to a reader of the stream. */
type Opening = (served: Served) => Promise<EventReader>;

const STREAMS: readonly (readonly [name: string, open: Opening])[] = [
  [
    'the stream of a session',
    async ({ url }) => {
      const client = await HttpClient.open(url, { headers: ADA });
      await (await client.post(request(1, 'resources/subscribe', { uri: URI }))).text();
      return client.listen();
    },
  ],
  [
    'a stream of subscriptions/listen',
    async ({ url }) => {
      const stream = new EventReader(await postModern(url, LISTEN, { headers: ADA }));
      await stream.message();
      return stream;
    },
  ],
  [
    'the stream of a session of 2024-11-05',
    async ({ origin }) => {
      const headers = { accept: 'text/event-stream', ...ADA };
      const stream = new EventReader(await fetch(`${origin}/sse`, { headers }));
      await stream.next();
      return stream;
    },
  ],
];

/** Stops the clock until the end of the test, but no timers; returns the time in seconds since the epoch. */
function stopClock(): number {
  const seconds = Math.floor(Date.now() / 1000);
  vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 });
  onTestFinished(() => void vi.useRealTimers());
  return seconds;
}

describe.each(STREAMS)('%s', (_, open) => {
  it('ends when its token is revoked, and sends no change after that', async () => {
    const tokens = new Tokens();
    await using served = await serve({ authenticator: tokens.authenticator, sse: true });
    const stream = await open(served);
    tokens.revoke('ada');
    expect(await stream.messages()).toEqual([]);
    served.station.change(URI);
    expect((await postModern(served.url, LISTEN, { headers: ADA })).status).toBe(401);
  });

  it('ends when its token expires', async () => {
    const expiresAt = stopClock() + 1;
    await using served = await serve({ authenticator: new Tokens(expiresAt).authenticator, sse: true });
    const stream = await open(served);
    vi.setSystemTime(expiresAt * 1000);
    expect(await stream.messages()).toEqual([]);
    expect((await postModern(served.url, LISTEN, { headers: ADA })).status).toBe(401);
  });

  it('continues when the token of another client is revoked', async () => {
    const tokens = new Tokens();
    const authenticator = new CountingAuthenticator(tokens, []);
    await using served = await serve({ authenticator, sse: true });
    const other = new EventReader(await postModern(served.url, LISTEN, { headers: bearer('bob') }));
    await using stream = await open(served);
    const ended = vi.fn<() => void>();
    void stream.rest().then(ended);
    tokens.revoke('bob');
    await other.messages();
    await expect.poll(() => authenticator.followers).toBe(1);
    expect(ended).not.toHaveBeenCalled();
  });
});

describe('a call whose token is revoked', () => {
  it('is aborted on 2026-07-28, and answered with 401', async () => {
    const tokens = new Tokens();
    await using served = await serve({ authenticator: tokens.authenticator });
    const params = { name: 'wait', arguments: { text: 'x' } };
    const answer = postModern(served.url, { method: 'tools/call', params }, { headers: ADA });
    const { aborted } = await served.station.calls.next();
    tokens.revoke('ada');
    await aborted;
    expect((await answer).status).toBe(401);
  });

  it('is aborted in a session, and answered with an error', async () => {
    const tokens = new Tokens();
    await using served = await serve({ authenticator: tokens.authenticator });
    const client = await HttpClient.open(served.url, { headers: ADA });
    const call = await client.stream('call', 'wait', { text: 'x' });
    const { aborted, end } = await served.station.calls.next();
    tokens.revoke('ada');
    await aborted;
    end('secret');
    const [answer, ...others] = await call.messages();
    expect([answer?.error?.message, others]).toEqual(['The access token has expired or was revoked', []]);
  });

  it('is aborted in a session of 2024-11-05', async () => {
    const tokens = new Tokens();
    await using served = await serve({ authenticator: tokens.authenticator, sse: true });
    await using stream = new EventReader(
      await fetch(`${served.origin}/sse`, { headers: { accept: 'text/event-stream', ...ADA } }),
    );
    const { data = '' } = (await stream.next()) ?? {};
    const send = (message: object): Promise<Response> =>
      post(`${served.origin}${data}`, JSON.stringify(message), { headers: ADA });
    const clientInfo = { name: 'old', version: '1.0.0' };
    await send(request(0, 'initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo }));
    await stream.message();
    await send(toolCall(1, 'wait', { text: 'x' }));
    const { aborted } = await served.station.calls.next();
    tokens.revoke('ada');
    await aborted;
  });
});

describe('a token', () => {
  it('ends a stream that opens while the token expires', async () => {
    const expiresAt = stopClock() + 1;
    class ExpiringAuthenticator extends Authenticator {
      override async authenticate(authorization: string | undefined): Promise<AuthInfo> {
        const auth = await super.authenticate(authorization);
        vi.setSystemTime(expiresAt * 1000);
        return auth;
      }
    }
    await using served = await serve({ authenticator: new ExpiringAuthenticator(new Tokens(expiresAt), []) });
    expect((await postModern(served.url, LISTEN, { headers: ADA })).status).toBe(401);
  });

  it('is no longer followed after its requests were rejected because of its share', async () => {
    const authenticator = new CountingAuthenticator(new Tokens(), []);
    await using served = await serve({ authenticator, maxConnections: 4 });
    const waiting = { method: 'tools/call', params: { name: 'wait', arguments: { text: 'x' } } };
    const calls = [];
    for (let call = 0; call < 2; call += 1) {
      calls.push(postModern(served.url, waiting, { headers: ADA }));
      await served.station.calls.next();
    }
    for (let refusal = 0; refusal < 5; refusal += 1) {
      const refused = await postModern(served.url, waiting, { headers: ADA });
      expect([refused.status, await refused.text()]).toEqual([
        429,
        expect.stringContaining('share of requests: it has 2 of the server'),
      ]);
    }
    for (const { end } of served.station.calls.all) end('done');
    for (const call of calls) await (await call).text();
    await expect.poll(() => authenticator.followers).toBe(0);
  });
});

describe('a token file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-tokens-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('ends the streams of a token that is removed from the file, in a process', async () => {
    const file = join(directory, 'tokens');
    const line = (name: string): string => `${name} ${name.repeat(8)} read write\n`;
    writeFileSync(file, line('ada') + line('bob'), { mode: 0o600 });
    const { command, args = [] } = compiledProgram(new URL('../replicas/several-program.ts', import.meta.url));
    await using program = startProgram({ command, args: [...args, '--http', '0', '--token-file', file] });
    const started = await program.stderr.next((each) => each.includes('serves at'));
    const url = started.slice(started.indexOf('http'));
    const listen = { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: [NOTE] } } };
    const stream = new EventReader(await postModern(url, listen, { headers: bearer('bob'.repeat(8)) }));
    await stream.message();
    writeFileSync(file, line('ada'));
    expect(await stream.messages()).toEqual([]);
  });
});
