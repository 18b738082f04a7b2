import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

/** One configuration for every package: workspace sources are resolved directly and transformed as `tsc` would build them. */
export default defineConfig({
  resolve: { conditions: ['@org/source'] },
  ssr: { resolve: { conditions: ['@org/source', 'node', 'default'] } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    globalSetup: fileURLToPath(new URL('scripts/compile-tests.mjs', import.meta.url)),
    include: ['{packages,servers}/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
