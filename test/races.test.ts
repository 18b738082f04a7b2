import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { runBenchProgram } from './bench-program.ts';

const ATTEMPTS = '100';

/** There are some seventy kinds of attempts. */
const TIMEOUT_MS = 120_000;

/** Only Linux exchanges names, and Python asks it to. */
const CAN_EXCHANGE = process.platform === 'linux' && spawnSync('python3', ['--version']).status === 0;

describe.runIf(CAN_EXCHANGE)('a path that is exchanged with a link to outside while it is used', () => {
  it(
    'leads nowhere but inside',
    async () => {
      const printed = await runBenchProgram('races/races-process.mjs', ATTEMPTS);
      expect(printed).toContain('pinned: nothing leaks');
      expect(printed).not.toContain('missed');
    },
    TIMEOUT_MS,
  );
});
