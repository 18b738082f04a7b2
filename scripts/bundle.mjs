import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { build } from 'rolldown';

import { shedSpecTypes } from './shed-spec-types.mjs';

/**
 * What the SDK takes from its platform: `process` and a JSON Schema validator. Its other validator does for the bundle: ajv would
 * be 30 % of it, and what clients send is validated by our own schemas.
 */
const SHIMS = '@modelcontextprotocol/server/_shims';
const SHIMS_CODE = `
  export { default as process } from 'node:process';
  export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
`;

// Runs nothing but the check of the definitions: a bundle leaves out what it has not to find at each start.
execFileSync(process.execPath, ['dist/bin.js', '--version'], { stdio: ['ignore', 'ignore', 'inherit'] });

/**
 * By which the SDK asks of each message first whether it is an answer. Refusing a request takes these two schemas 7 % of a whole call,
 * and they allow none of its members but what every message has: what has a method is no answer.
 */
const IS_ANSWER = /^const (isJSONRPC(?:Result|Error)Response) = \(value\) => (\w+\.safeParse\(value\)\.success);$/gm;

/**
 * Bundles `dist/bin.js` of the package in the current directory into `bundle/`, which starts in half the time of loose modules; and
 * the programs of its threads, which are named as arguments.
 */
await build({
  input: Object.fromEntries(['dist/bin.js', ...process.argv.slice(2)].map((file) => [basename(file, '.js'), file])),
  platform: 'node',
  // class-validator's `module` entry is ES5; its classes are only small and tree-shakable in `es2015`.
  resolve: { mainFields: ['es2015', 'module', 'main'] },
  transform: { define: { IS_KNOWN_TO_COMPILE: 'true' } },
  output: {
    dir: 'bundle',
    // What V8 made of a script can be kept, of an ES module it cannot on Node 20.
    format: 'cjs',
    // A script that was kept cannot import; all that is imported from outside can be required.
    dynamicImportInCjs: false,
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
    shedSpecTypes(),
    { name: 'start', generateBundle: emitStart },
    answersKnownByMembers(),
    { name: 'third-party-licenses', generateBundle: emitLicenses },
  ],
});

/** The package around it is of ES modules. */
function emitStart() {
  this.emitFile({
    type: 'asset',
    fileName: 'start.js',
    source: readFileSync(new URL('bundle-start.cjs', import.meta.url), 'utf8'),
  });
  this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
}

/** Has the SDK look at a message's members before its schemas. */
function answersKnownByMembers() {
  let known = 0;
  return {
    name: 'answers-known-by-members',
    transform(code, id) {
      if (!id.includes('@modelcontextprotocol/server/')) return null;
      return code.replaceAll(IS_ANSWER, (_, name, parses) => {
        known += 1;
        return `const ${name} = (value) => value?.method === undefined && ${parses};`;
      });
    },
    buildEnd(error) {
      if (error === undefined && known !== 2)
        throw new Error(`the SDK has changed: ${known} of 2 ways to know an answer were found`);
    },
  };
}

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
