import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { build } from 'rolldown';

/**
 * What the SDK takes from its platform: `process` and a JSON Schema validator. Its other validator does for the bundle: ajv would
 * be 30 % of it, and what clients send is validated by our own schemas.
 */
const SHIMS = '@modelcontextprotocol/server/_shims';
const SHIMS_CODE = `
  export { default as process } from 'node:process';
  export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
`;

/**
 * Bundles `dist/bin.js` of the package in the current directory into `bundle/`, which starts in half the time of loose modules; and
 * the programs of its threads, which are named as arguments.
 */
await build({
  input: Object.fromEntries(['dist/bin.js', ...process.argv.slice(2)].map((file) => [basename(file, '.js'), file])),
  platform: 'node',
  // It looks for its .wasm beside itself.
  external: [/^libpg-query\//],
  // class-validator's `module` entry is ES5; its classes are only small and tree-shakable in `es2015`.
  resolve: { mainFields: ['es2015', 'module', 'main'] },
  output: {
    dir: 'bundle',
    format: 'esm',
    cleanDir: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    // Half of what Node does before the first answer is compiling this file. Names stay: they are in messages and stack traces.
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  },
  // An import that cannot be resolved would only fail when the user's machine runs that line.
  onLog: (level, log, report) => report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
  plugins: [
    {
      name: 'small-validator',
      resolveId: (id) => (id === SHIMS ? `\0${SHIMS}` : undefined),
      load: (id) => (id === `\0${SHIMS}` ? SHIMS_CODE : undefined),
    },
    { name: 'third-party-licenses', generateBundle: emitLicenses },
  ],
});

/** Names every package whose code is in the bundle, with the licence text it asks to be kept. */
function emitLicenses(_options, chunks) {
  const modules = Object.values(chunks).flatMap(({ moduleIds = [] }) => moduleIds);
  const directories = new Set(modules.filter((id) => id.includes('/node_modules/')).map(packageDirectory));
  const source = [...directories].map(describe).sort().join('\n');
  this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
}

function packageDirectory(module) {
  let directory = dirname(module);
  // A nested package.json without a name only says how its directory is to be read.
  while (!readManifest(directory)?.name) directory = dirname(directory);
  return directory;
}

function readManifest(directory) {
  const path = join(directory, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function describe(directory) {
  const { name, version, license } = readManifest(directory);
  const file = readdirSync(directory).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const text = file ? readFileSync(join(directory, file), 'utf8').trim() : '';
  return `${name} ${version} (${license})\n\n${text}\n\n${'-'.repeat(80)}\n`;
}
