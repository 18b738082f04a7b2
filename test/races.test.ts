import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { runBenchProgram } from './support/bench-program.ts';

const ATTEMPTS = '100';

/** Time limit in milliseconds, for about 65 kinds of attempts. */
const TIMEOUT_MS = 120_000;

/** Exchanging two names requires Linux and Python. */
const CAN_EXCHANGE = process.platform === 'linux' && spawnSync('python3', ['--version']).status === 0;

describe.runIf(CAN_EXCHANGE)('a path that another process exchanges with a link to outside during use', () => {
  it(
    'never gives access to files outside',
    async () => {
      const printed = await runBenchProgram('races/races-process.mjs', ATTEMPTS);
      expect(printed).toContain('pinned: nothing leaks');
      expect(printed).not.toContain('missed');
    },
    TIMEOUT_MS,
  );
});
