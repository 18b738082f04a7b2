import { describe, expect, it } from 'vitest';

import { runBenchProgram } from './support/bench-program.ts';

const SECONDS = '4';

/** Time limit in milliseconds. The test has to wait until abandoned sessions have expired. */
const TIMEOUT_MS = 120_000;

describe('a server over HTTP', () => {
  it(
    'keeps no memory or resources of clients that have disconnected',
    async () => {
      const printed = await runBenchProgram('soak/soak-process.mjs', SECONDS);
      expect(printed).toContain('nothing is left behind');
      expect(printed).not.toContain('missed');
    },
    TIMEOUT_MS,
  );
});
