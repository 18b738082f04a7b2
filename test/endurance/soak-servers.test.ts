import { platform } from 'node:os';

import { describe, expect, it } from 'vitest';

import { Random } from './support/random.ts';
import { soakServer } from './soak/soak-server.ts';
import { SOAKED_SERVERS } from './soak/soaked-servers.ts';

/** Seconds for which clients use each server; `npm run soak` sets more. */
const SECONDS = Number(process.env['MCP_TEST_SOAK_SECONDS'] ?? 4);

const SEED = Number(process.env['MCP_TEST_SEED'] ?? 1);

/** Time limit in milliseconds: warming up, settling and ending take up to two minutes in addition to `SECONDS`. */
const TIMEOUT_MS = SECONDS * 1000 + 180_000;

// The test reads the resources of a process from /proc, so it runs only on Linux.
describe.runIf(platform() === 'linux').each(SOAKED_SERVERS.map((server) => [server.name, server] as const))(
  'mcp-%s',
  (_, server) => {
    it(
      'holds nothing of clients that have left, and survives crashes around it',
      async () => {
        const { problems, acts, before, after } = await soakServer(server, new Random(SEED), SECONDS);
        if (SECONDS > 10) process.stdout.write(`mcp-${server.name} ${JSON.stringify({ acts, before, after })}\n`);
        expect(problems).toEqual([]);
        expect(Object.keys(acts)).toContain('call');
      },
      TIMEOUT_MS,
    );
  },
);
