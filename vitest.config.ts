import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const GIT = 'servers/git/test/**/*.test.ts';
const SQL = 'servers/sql/test/**/*.test.ts';
const INTEGRATION = 'packages/testing/test/**/*.test.ts';
const PATIENCE = fromHere('test/patience.mjs');

/**
 * The tests of all packages. Workspace sources are resolved directly and transformed as `tsc` would build them, except in the tests
 * that need a client and a server.
 */
export default defineConfig({
  resolve: { conditions: ['@org/source'] },
  ssr: { resolve: { conditions: ['@org/source', 'node', 'default'] } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    // No project isolates its files: to import the same modules for each of 500 files would take a quarter of the time.
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['{packages,servers}/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [GIT, SQL, INTEGRATION],
          isolate: false,
          globalSetup: fromHere('scripts/compile-tests.mjs'),
          setupFiles: PATIENCE,
        },
      },
      { extends: true, test: { name: 'git', include: [GIT], isolate: false, setupFiles: PATIENCE } },
      {
        extends: true,
        test: {
          name: 'sql',
          include: [SQL],
          isolate: false,
          globalSetup: fromHere('servers/sql/test/state.ts'),
          setupFiles: [PATIENCE, fromHere('servers/sql/test/own-state.ts')],
        },
      },
      'vitest.compiled.config.ts',
    ],
    // One a processor but one is the default: on two processors one test file at a time, and most of its time is waiting.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
  },
});

function fromHere(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
