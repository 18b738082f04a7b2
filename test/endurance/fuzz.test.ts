import { describe, expect, it } from 'vitest';

import { fuzzBytes } from './fuzz/fuzz-bytes.ts';
import { fuzzCalls, type FuzzReport } from './fuzz/fuzz-calls.ts';
import { fuzzHttp } from './fuzz/fuzz-http.ts';
import { FUZZED_SERVERS, type FuzzedServer } from './fuzz/fuzzed-servers.ts';
import { Random } from './support/random.ts';

/** Seconds for each server and each kind of requests; `npm run fuzz` sets more. */
const SECONDS = Number(process.env['MCP_TEST_FUZZ_SECONDS'] ?? 2);

/** Seed of the first round. The seed of each later round is greater by one. A failure names the seed of its round. */
const SEED = Number(process.env['MCP_TEST_SEED'] ?? 1);

/**
 * Maximum duration of a round in milliseconds. Each round starts the server again on new files, because hostile calls delete
 * files that later calls need.
 */
const ROUND_MS = 30_000;

const KINDS: Readonly<Record<string, (server: FuzzedServer, random: Random, deadline: number) => Promise<FuzzReport>>> = {
  'calls with hostile arguments': fuzzCalls,
  'broken messages over stdio': fuzzBytes,
  'broken requests over HTTP': fuzzHttp,
};

describe.each(FUZZED_SERVERS.map((server) => [server.name, server] as const))('mcp-%s', (_, server) => {
  it.each(Object.entries(KINDS))(
    'survives %s',
    async (kind, fuzz) => {
      const end = performance.now() + SECONDS * 1000;
      let sent = 0;
      for (let seed = SEED; seed === SEED || performance.now() < end; seed += 1) {
        const deadline = Math.min(end, performance.now() + ROUND_MS);
        const report = await fuzz(server, new Random(seed), deadline);
        sent += report.sent;
        expect(report.problems, `seed ${seed}`).toEqual([]);
      }
      if (SECONDS > 10) process.stdout.write(`mcp-${server.name}, ${kind}: ${sent} sent\n`);
      expect(sent).toBeGreaterThan(0);
    },
    SECONDS * 1000 + 180_000,
  );
});
