import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../bench/races/races-process.mjs', import.meta.url));
const ATTEMPTS = '200';

/** Only Linux exchanges names, and Python asks it to. */
const CAN_EXCHANGE = process.platform === 'linux' && spawnSync('python3', ['--version']).status === 0;

describe.runIf(CAN_EXCHANGE)('a path that is exchanged with a link to outside while it is used', () => {
  it('leads nowhere but inside', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ATTEMPTS]).catch((error: unknown) => {
      if (error instanceof Error && 'stdout' in error) return { stdout: `${String(error.stdout)}\n${error.message}` };
      throw error;
    });
    expect(stdout).toContain('pinned: nothing leaks');
    expect(stdout).not.toContain('missed');
  });
});
