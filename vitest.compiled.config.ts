import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const SUITE = 'test/integration/';
const ROOT = fileURLToPath(new URL('.', import.meta.url)).replaceAll('\\', '/');

/**
 * Runs the integration suite as `tsc` compiles it, against the built packages, because the decorator metadata that `tsc` emits differs
 * from the test runner's. Each test file keeps the path of its source, so fixtures, snapshots and filters work as usual.
 */
export default defineConfig({
  oxc: false,
  plugins: [{ name: 'compiled', enforce: 'pre', load: compiledFile }],
  test: {
    name: 'compiled',
    globalSetup: fileURLToPath(new URL('scripts/compile-tests.mjs', import.meta.url)),
    setupFiles: fileURLToPath(new URL('test/wait-timeout.mjs', import.meta.url)),
    include: [`${SUITE}**/*.test.ts`],
    isolate: false,
    testTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
  },
});

function compiledFile(id: string): { readonly code: string; readonly map: object } | undefined {
  const source = `${ROOT}${SUITE}`;
  if (!id.startsWith(source) || !id.endsWith('.ts')) return undefined;
  const file = `${ROOT}node_modules/.compiled/integration/${id.slice(source.length, -'.ts'.length)}.js`;
  return { code: readFileSync(file, 'utf8'), map: { ...JSON.parse(readFileSync(`${file}.map`, 'utf8')), sources: [id] } };
}
