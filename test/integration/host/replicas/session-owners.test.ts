import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { HttpClient, request } from '../../support/http/http-client.ts';
import { HAS_REDIS, startRedis, type RedisServer } from './redis.ts';
import { Replicas, type Replica } from './replicas.ts';

const TOKENS = { ada: 'a'.repeat(40), eve: 'e'.repeat(40) };

let redis: RedisServer;
let replicas: Replicas;

async function start(flags: readonly string[], firstFlags: readonly string[] = []): Promise<void> {
  redis = await startRedis();
  replicas = await Replicas.start({
    keys: ['a', 'a'],
    bus: redis.url,
    routing: 'in turn',
    flags: ['--shared-sessions', ...flags],
    firstFlags,
  });
}

async function stop(): Promise<void> {
  await replicas[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
}

function processes(): readonly [Replica, Replica] {
  const [first, second] = replicas.processes;
  return [first!, second!];
}

function bearer(token: string): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { authorization: `Bearer ${token}` } };
}

describe.skipIf(!HAS_REDIS)('a shared session (needs redis-server)', () => {
  describe('of a client with a token', () => {
    const directory = mkdtempSync(join(tmpdir(), 'mcp-tokens-'));
    beforeAll(async () => {
      const file = join(directory, 'tokens');
      writeFileSync(file, `ada ${TOKENS.ada} read write\neve ${TOKENS.eve} read write\n`, { mode: 0o600 });
      await start(['--token-file', file]);
    });
    afterAll(async () => {
      await stop();
      rmSync(directory, { recursive: true });
    });

    /** Opens a session in the first process. Returns the client of the session, and the key of the session in the store. */
    async function open(token: string): Promise<{ readonly client: HttpClient; readonly key: string }> {
      const before = redis.run('keys', 'mcp:session:*');
      const client = await HttpClient.open(processes()[0].url, bearer(token));
      const [key = ''] = redis.run('keys', 'mcp:session:*').filter((each) => !before.includes(each));
      return { client, key };
    }

    async function statusOf(client: HttpClient, headers = {}): Promise<number> {
      const response = await client.at(processes()[1].url).post(request(1, 'ping'), { headers });
      await response.text();
      return response.status;
    }

    it('is served by another process for the same principal only', async () => {
      const { client } = await open(TOKENS.ada);
      expect(await statusOf(client)).toBe(200);
      expect(await statusOf(client, bearer(TOKENS.eve).headers)).toBe(404);
      expect(await statusOf(client, bearer('x'.repeat(40)).headers)).toBe(401);
      expect(await statusOf(client)).toBe(200);
    });

    it('is not served from the record of another session', async () => {
      const [adas, eves] = [await open(TOKENS.ada), await open(TOKENS.eve)];
      redis.run('set', adas.key, redis.run('get', eves.key)[0]!);
      expect(await statusOf(adas.client)).toBe(404);
      expect(await statusOf(adas.client, bearer(TOKENS.eve).headers)).toBe(404);
      expect(await statusOf(eves.client)).toBe(200);
    });

    it.each(['x', '{}', 'a.b.c.d.e', JSON.stringify({ owner: '', url: 'http://127.0.0.1:1', principal: 'null' })])(
      'is not served from a record that was made up: %s',
      async (text) => {
        const { client, key } = await open(TOKENS.ada);
        redis.run('set', key, text);
        expect(await statusOf(client)).toBe(404);
      },
    );

    it('has no contents and no token in the store', async () => {
      const { client, key } = await open(TOKENS.ada);
      const texts = redis
        .run('keys', '*')
        .flatMap((each) => [each, ...redis.run('get', each)])
        .join('\n');
      expect(texts).toContain(key);
      for (const secret of [client.sessionId, TOKENS.ada, 'ada', 'http-client']) expect(texts).not.toContain(secret);
    });
  });

  describe('that is renewed every 250 ms', () => {
    beforeEach(() => start(['--session-idle', '1s', '--ping-interval', '1s'], ['--peer-url', 'http://127.0.0.1:1']));
    afterEach(stop);

    it('is closed in a process that others cannot reach, after another process has taken it over', async () => {
      const [first, second] = processes();
      const opened = await HttpClient.open(first.url);
      const client = opened.at(second.url);
      expect(await client.call('where_am_i')).toBe(String(second.program.pid));
      await vi.waitFor(async () => expect(await opened.call('where_am_i')).toBe(String(second.program.pid)));
    });

    it('is stored again after the store was emptied', async () => {
      const [first, second] = processes();
      const client = (await HttpClient.open(second.url)).at(first.url);
      redis.run('flushall');
      await vi.waitFor(async () => expect(await client.call('where_am_i')).toBe(String(second.program.pid)));
    });

    it('is unknown in all processes after it was idle', async () => {
      const [first, second] = processes();
      const client = await HttpClient.open(second.url);
      await vi.waitFor(() => expect(redis.run('keys', 'mcp:session:*')).toEqual(['mcp:session:seals']), { timeout: 10_000 });
      for (const { url } of [first, second]) expect((await client.at(url).post(request(1, 'ping'))).status).toBe(404);
    });
  });
});
