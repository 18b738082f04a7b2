import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { build } from 'rolldown';

import { builtins } from './workspace/builtins.mjs';
import { licenses } from './workspace/licenses.mjs';

/**
 * The module through which the SDK imports `process` and a JSON Schema validator. The bundle gets the smaller of the SDK's two
 * validators, because ajv would be 30 % of the bundle and our own schemas validate the arguments of clients.
 */
const SHIMS = '@modelcontextprotocol/server/_shims';
const SHIMS_CODE = `
  export { default as process } from 'node:process';
  export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
`;

// Checks the definitions once, so that the bundle can skip this check at each start: it takes 40 to 90 ms.
execFileSync(process.execPath, ['dist/bin.js', '--version'], { stdio: ['ignore', 'ignore', 'inherit'] });

/** Names of optional packages that a user may install. The bundle loads such a package only if the package is installed. */
const { peerDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
const optional = Object.keys(peerDependencies).filter((name) => !name.startsWith('@org/'));

/**
 * Bundles `dist/bin.js` of the package in the current directory into `bundle/`, and the programs of its worker threads, whose
 * paths are the arguments. The bundle starts in half the time of separate modules.
 */
await build({
  input: Object.fromEntries(['dist/bin.js', ...process.argv.slice(2)].map((file) => [basename(file, '.js'), file])),
  platform: 'node',
  external: (id) => optional.some((name) => id === name || id.startsWith(`${name}/`)),
  // The sources import the CommonJS modules of class-validator; only the ES modules in `esm2015` are small and tree-shakable.
  resolve: {
    // The bundle is built from the separate modules in `dist` of our packages, because unused code can be omitted only from
    // separate modules.
    conditionNames: ['@org/dist', 'node'],
    mainFields: ['es2015', 'module', 'main'],
    alias: { 'class-validator/cjs': 'class-validator/esm2015' },
  },
  transform: { define: { IS_KNOWN_TO_COMPILE: 'true' } },
  output: {
    dir: 'bundle',
    // Scripts load faster than ES modules, and require() loads all external modules.
    format: 'cjs',
    dynamicImportInCjs: false,
    cleanDir: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    // Compiling this file is half of the start. Names stay, because messages and stack traces contain them.
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  },
  // An unresolved import stops the build. Otherwise the import would fail only when a user's machine runs it.
  onLog: (level, log, report) => report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
  plugins: [
    {
      name: 'small-validator',
      resolveId: (id) => (id === SHIMS ? `\0${SHIMS}` : undefined),
      load: (id) => (id === `\0${SHIMS}` ? SHIMS_CODE : undefined),
    },
    { name: 'start', generateBundle: emitStart },
    builtins(),
    licenses(),
  ],
});

/** Emits the program that starts the bundle, and a manifest that declares CommonJS, because the package itself uses ES modules. */
function emitStart() {
  const sources = {
    'start.js': new URL('program/start.cjs', import.meta.url),
    'require-node.cjs': new URL('program/require-node.cjs', import.meta.url),
  };
  for (const [fileName, source] of Object.entries(sources))
    this.emitFile({ type: 'asset', fileName, source: readFileSync(source, 'utf8') });
  this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
}
