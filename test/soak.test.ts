import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../bench/soak/soak-process.mjs', import.meta.url));
const SECONDS = '4';

/** Settling takes as long as sessions that were forgotten are kept. */
const TIMEOUT_MS = 120_000;

describe('a server over HTTP', () => {
  it(
    'holds nothing of clients that used it in every way and left',
    async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, SECONDS]).catch((error: unknown) => {
        if (error instanceof Error && 'stdout' in error) return { stdout: `${String(error.stdout)}\n${error.message}` };
        throw error;
      });
      expect(stdout).toContain('nothing is left behind');
      expect(stdout).not.toContain('missed');
    },
    TIMEOUT_MS,
  );
});
