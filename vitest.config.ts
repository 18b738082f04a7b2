import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const GIT = 'servers/git/test/**/*.test.ts';
const SQL = 'servers/sql/test/**/*.test.ts';
const INTEGRATION = 'test/integration/**/*.test.ts';
/** This test takes minutes: `npm run soak`. */
const SOAK = 'test/endurance/soak-servers.test.ts';
const isSoaking = process.env['MCP_TEST_SOAK_SECONDS'] !== undefined;
const WAIT_TIMEOUT = fromHere('test/wait-timeout.mjs');

/**
 * Runs the tests of all packages. They resolve workspace packages to their sources, which are transformed as `tsc` would build them. The
 * project `compiled` runs the integration suite against built packages.
 */
export default defineConfig({
  resolve: { conditions: ['@org/source'] },
  ssr: { resolve: { conditions: ['@org/source', 'node', 'default'] } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    // No project isolates its files, because importing the same modules for each of 500 files would take a quarter of the time.
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['{packages,servers}/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [GIT, SQL, INTEGRATION, ...(isSoaking ? [] : [SOAK])],
          isolate: false,
          globalSetup: fromHere('scripts/compile-tests.mjs'),
          setupFiles: WAIT_TIMEOUT,
        },
      },
      { extends: true, test: { name: 'examples', include: ['examples/*/test/**/*.test.ts'], globals: true, isolate: false } },
      { extends: true, test: { name: 'git', include: [GIT], isolate: false, setupFiles: WAIT_TIMEOUT } },
      {
        extends: true,
        test: {
          name: 'sql',
          include: [SQL],
          isolate: false,
          globalSetup: fromHere('servers/sql/test/fixtures/state-directory.ts'),
          setupFiles: [WAIT_TIMEOUT, fromHere('servers/sql/test/fixtures/state-environment.ts')],
        },
      },
      'vitest.compiled.config.ts',
    ],
    // The default is one worker fewer than processors. Tests wait for processes and timers a third of their time, so two processors are busy with three workers.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
  },
});

function fromHere(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
