import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';
import type { Leftovers } from './leak-program.ts';

/** `LEAKS=full` takes minutes and prints the measurements. */
const IS_FULL = process.env['LEAKS'] === 'full';
const [MANY, STREAMS] = IS_FULL ? [10_000, 1000] : [500, 200];
/** Tolerated growth in bytes: the size of the heap varies by up to about this amount between two garbage collections. */
const NOISE = 3_000_000;

describe('clients that have connected and disconnected', () => {
  it(`leave nothing behind: ${MANY} sessions, ${MANY} requests and ${STREAMS} streams`, { timeout: 600_000 }, async () => {
    const { command, args = [] } = compiledProgram(new URL('leak-program.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(command, ['--expose-gc', ...args, `${MANY}`, `${STREAMS}`]);
    const leftovers: readonly Leftovers[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    if (IS_FULL) process.stdout.write(stdout);
    expect(leftovers.map(({ what, count }) => [what, count])).toEqual([
      ['sessions', MANY],
      ['requests', MANY],
      ['streams', STREAMS],
    ]);
    for (const { heapBefore, heapAfter, ...sizes } of leftovers) {
      expect(sizes).toMatchObject({ sessions: 0, listenStreams: 0, storedEvents: 0, subscriptions: 0, resources: 0 });
      expect(heapAfter - heapBefore).toBeLessThan(NOISE);
    }
  });
});
