import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const PACKAGE = fileURLToPath(new URL('packages/testing/', import.meta.url)).replaceAll('\\', '/');

/**
 * The tests that need a client and a server, as `tsc` compiles them, against the built packages: its output and metadata differ from
 * the test runner's. Each file keeps its own path, and with it its fixtures, snapshots and place in a filter.
 */
export default defineConfig({
  oxc: false,
  plugins: [{ name: 'compiled', enforce: 'pre', load: compiledFile }],
  test: {
    name: 'compiled',
    globalSetup: fileURLToPath(new URL('scripts/compile-tests.mjs', import.meta.url)),
    setupFiles: fileURLToPath(new URL('test/patience.mjs', import.meta.url)),
    include: ['packages/testing/test/**/*.test.ts'],
    isolate: false,
    testTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
  },
});

function compiledFile(id: string): { readonly code: string; readonly map: object } | undefined {
  if (!id.startsWith(PACKAGE) || !id.endsWith('.ts')) return undefined;
  const file = `${PACKAGE}node_modules/.compiled/${id.slice(PACKAGE.length, -'.ts'.length)}.js`;
  return { code: readFileSync(file, 'utf8'), map: { ...JSON.parse(readFileSync(`${file}.map`, 'utf8')), sources: [id] } };
}
