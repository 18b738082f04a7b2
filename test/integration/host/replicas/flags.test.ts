import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startProgram } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';
import { HAS_REDIS, startRedis, type RedisServer } from './redis.ts';

describe.skipIf(!HAS_REDIS)('--shared-sessions (needs redis-server)', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-flags-'));
  const key = join(directory, 'key');
  let redis: RedisServer;

  beforeAll(async () => {
    writeFileSync(key, 'a'.repeat(32), { mode: 0o600 });
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true });
  });

  it.each([
    ['without --bus', () => ['--state-key-file', key], '--shared-sessions requires --bus and --state-key-file'],
    ['without --state-key-file', () => ['--bus', redis.url], '--shared-sessions requires --bus and --state-key-file'],
    [
      'with a path in --peer-url',
      () => ['--state-key-file', key, '--bus', redis.url, '--peer-url', 'http://10.0.0.3/mcp'],
      '--peer-url must be a URL without a path, such as http://10.0.0.3:8080, not "http://10.0.0.3/mcp"',
    ],
    [
      'if the bus cannot keep sessions',
      () => ['--state-key-file', key, '--bus', redis.url.replace('//', '//limited:secret@')],
      '--shared-sessions: the server of the bus cannot keep sessions: NOPERM',
    ],
  ])('ends the process with a usage error %s', async (_, flags, message) => {
    redis.run('acl', 'setuser', 'limited', 'on', '>secret', '&*', '+subscribe', '+publish', '+ping');
    const { command, args = [] } = compiledProgram(new URL('several-program.ts', import.meta.url));
    const { code, stderr } = await startProgram({ command, args: [...args, '--http', '0', '--shared-sessions', ...flags()] })
      .ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
