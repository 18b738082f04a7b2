import { describe, expect, it } from 'vitest';

import { runBenchProgram } from './bench-program.ts';

const SECONDS = '4';

/** Settling takes as long as sessions that were forgotten are kept. */
const TIMEOUT_MS = 120_000;

describe('a server over HTTP', () => {
  it(
    'holds nothing of clients that used it in every way and left',
    async () => {
      const printed = await runBenchProgram('soak/soak-process.mjs', SECONDS);
      expect(printed).toContain('nothing is left behind');
      expect(printed).not.toContain('missed');
    },
    TIMEOUT_MS,
  );
});
