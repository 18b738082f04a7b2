import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Session, startProgram, type Era, type RunningProgram } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';
import { HAS_REDIS, startRedis } from './redis.ts';
import { RoundRobin } from './round-robin.ts';
import { NOTE } from './several-server.ts';

interface Served {
  readonly program: RunningProgram;
  readonly url: string;
}

const directory = mkdtempSync(join(tmpdir(), 'mcp-keys-'));
afterAll(() => rmSync(directory, { recursive: true }));

function keyFile(content: string): string {
  const file = join(directory, content);
  writeFileSync(file, content.repeat(32), { mode: 0o600 });
  return file;
}

async function start(...args: readonly string[]): Promise<Served> {
  const { command, args: program = [] } = compiledProgram(new URL('several-program.ts', import.meta.url));
  const running = startProgram({ command, args: [...program, '--http', '0', ...args] });
  const line = await running.stderr.next((each) => each.includes('serves at'));
  return { program: running, url: line.slice(line.indexOf('http')) };
}

function connectTo({ url }: RoundRobin, era: Era): Promise<Session> {
  const answers = { elicitation: { ok: true } };
  return Session.open(new StreamableHTTPClientTransport(url), { era, answers }, () => Promise.resolve());
}

describe.skipIf(!HAS_REDIS)(
  'two processes with one key and one bus (needs redis-server), behind a proxy that alternates,',
  () => {
    let running: Awaited<ReturnType<typeof startAll>> | undefined;
    const proxy = (): RoundRobin => running!.proxy;

    beforeAll(async () => {
      running = await startAll(keyFile('a'), keyFile('a'));
    });
    afterAll(() => running?.[Symbol.asyncDispose]());

    it('receive the requests in turn', async () => {
      await using session = await connectTo(proxy(), 'modern');
      const pids = [await session.text('where_am_i'), await session.text('where_am_i'), await session.text('where_am_i')];
      expect(pids[0]).not.toBe(pids[1]);
      expect(pids[0]).toBe(pids[2]);
    });

    it('reject the answer to a question of the other process, because only the other process can detect a replay', async () => {
      await using session = await connectTo(proxy(), 'modern');
      expect(await session.fails('confirm')).toMatch(
        /^PRECONDITION_FAILED: the requestState was made by another process, and only that process accepts it/,
      );
    });

    it('continue a list that the other process began', async () => {
      await using session = await connectTo(proxy(), 'modern');
      const before = proxy().served.length;
      expect(await session.toolNames()).toEqual(['where_am_i', 'confirm', 'change']);
      expect(new Set(proxy().served.slice(before)).size).toBe(2);
    });

    it.each(['modern', 'legacy'] as const)('notify each other of changes, to clients of the %s era', async (era) => {
      await using listener = await connectTo(proxy(), era);
      await using updates = await listener.subscribe(NOTE);
      await using changer = await connectTo(proxy(), 'modern');
      const pids = [await changer.text('change'), await changer.text('change')];
      expect(new Set(pids).size).toBe(2);
      await updates.next();
      await updates.next();
    });
  },
);

describe.skipIf(!HAS_REDIS)('two processes with different keys (needs redis-server), behind a proxy that alternates,', () => {
  it('reject values that the other process sealed', async () => {
    await using running = await startAll(keyFile('b'), keyFile('c'));
    await using session = await connectTo(running.proxy, 'modern');
    await expect(session.toolNames()).rejects.toMatchObject({ code: -32_602 });
  });
});

async function startAll(...keys: readonly string[]): Promise<{ readonly proxy: RoundRobin } & AsyncDisposable> {
  const redis = await startRedis();
  const served = await Promise.all(keys.map((key) => start('--state-key-file', key, '--bus', redis.url)));
  const proxy = await RoundRobin.before(...served.map(({ url }) => url));
  return {
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      for (const { program } of served) await program[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    },
  };
}
