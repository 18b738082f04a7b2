import { build } from 'esbuild';

await build({
  entryPoints: ['dist/main.js'],
  outfile: 'bundle/main.mjs',
  // Optional packages, which are loaded only when an option or a call needs them.
  external: ['@opentelemetry/api', 'ioredis', 'pg', 'prom-client'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  // The main file of jsonc-parser, on which config and install depend, cannot be bundled; its ES module can.
  mainFields: ['module', 'main'],
  // Messages of the log contain the names of classes.
  keepNames: true,
  // Dependencies that are CommonJS modules call require.
  banner: { js: "import module from 'node:module'; const require = module.createRequire(import.meta.url);" },
});
