import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { build } from 'rolldown';

import { builtins, isReplaced } from './workspace/builtins.mjs';
import { licenses } from './workspace/licenses.mjs';
import { isMain } from './workspace/run.mjs';

const COMPILED = 'dist';
const JOINED = 'lib';

/**
 * Dependencies whose code is joined with the package's own: small ones that every start loads. Most of them are CommonJS, which takes
 * longer to import than ES modules. Other dependencies are imported.
 */
const JOINED_DEPENDENCIES = /^((class-validator|validator)\/|(ignore|leven|reflect-metadata\/lite)$)/;

/**
 * Joins the compiled modules of a package, which are in `dist/`, to one module for each export, in `lib/`, because loading 300 small
 * modules takes Node.js longer than the rest of a server's start. Parts that are imported dynamically remain separate.
 */
async function joinModules(directory) {
  await build({
    cwd: directory,
    input: Object.fromEntries(exportedFiles(directory).map((file) => [basename(file, '.js'), file])),
    platform: 'node',
    external: (id) => /^[@\w]/.test(id) && !JOINED_DEPENDENCIES.test(id) && !isReplaced(id),
    resolve: { alias: { 'class-validator/cjs': 'class-validator/esm2015', 'validator/lib': 'validator/es/lib' } },
    output: {
      dir: JOINED,
      cleanDir: true,
      // Names of classes are part of error messages, and two files may contain classes with the same name.
      keepNames: true,
      // Creates one shared module instead of one for each combination of modules that import its parts.
      codeSplitting: { groups: [{ name: 'shared', tags: ['$initial'], minShareCount: 2 }] },
      comments: { legal: true, annotation: false, jsdoc: false },
    },
    onLog: (level, log, report) => report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
    plugins: [builtins(), licenses()],
  });
}

/** Returns the exported modules of a package, as the compiler writes them. */
function exportedFiles(directory) {
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return Object.values(exports).map((conditions) => conditions['@org/dist']);
}

/** Joins the modules of a package again if a compiled module is newer than the joined modules. */
export async function updateJoined(directory) {
  const joined = exportedFiles(directory).map((file) => join(directory, JOINED, basename(file)));
  const compiled = readdirSync(join(directory, COMPILED), { recursive: true }).filter((name) => name.endsWith('.js'));
  const newest = Math.max(...compiled.map((name) => statSync(join(directory, COMPILED, name)).mtimeMs));
  if (joined.every((file) => existsSync(file) && statSync(file).mtimeMs > newest)) return;
  await joinModules(directory);
}

if (isMain(import.meta.url)) await joinModules(process.cwd());
