import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { linkModule, linkPackages } from '../workspace/consumer.mjs';
import { publishedPackages } from '../workspace/packages.mjs';
import { ROOT, run } from '../workspace/run.mjs';

/** The optional package whose types `@org/mcp-testing/views` exports. A user of this entry has installed the package. */
const BROWSER = 'playwright-core';

/** The page that lists the compiler options for applications. */
const OPTIONS_PAGE = join(ROOT, 'docs/build/compiling.md');

/**
 * Compiles an application in an empty directory against the extracted tarballs: every entry of every package, and the programs of
 * the page about extending servers. Only the dependencies that the packages declare can be resolved, so a type of another package is an error.
 *
 * @param packages directories of the extracted tarballs by package name
 */
export async function compileConsumer(directory, packages) {
  linkPackages(join(directory, 'node_modules'), packages);
  linkModule(join(directory, 'node_modules', BROWSER), join(ROOT, 'packages/testing/node_modules', BROWSER));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...readOptions(), noEmit: true }, include: ['app'] }),
  );
  mkdirSync(join(directory, 'app'));
  for (const [name, code] of sources()) writeFileSync(join(directory, 'app', name), code);
  return run('tsc', ['-p', directory]);
}

/** Returns the compiler options that the page recommends. Without `skipLibCheck`, the compiler checks the declarations of packages, too. */
function readOptions() {
  const [, settings] = /^```json \[tsconfig\.json\]\n(.*?)^```$/ms.exec(readFileSync(OPTIONS_PAGE, 'utf8'));
  return JSON.parse(settings).compilerOptions;
}

/** Returns the files of the application, as pairs of name and code. */
function sources() {
  const packages = publishedPackages();
  const entries = packages.flatMap(({ manifest }) =>
    Object.keys(manifest.exports ?? {}).map((entry) => manifest.name + entry.slice(1)),
  );
  return [
    ['entries.ts', entries.map((entry, index) => `export * as entry${index} from '${entry}';\n`).join('')],
    ...readPrograms(),
  ];
}

/** Returns the files of the page about extending servers. */
function readPrograms() {
  const page = readFileSync(join(ROOT, 'docs/build/extending.md'), 'utf8');
  return Array.from(page.matchAll(/^```ts \[src\/([^\]]+)\]\n(.*?)^```$/gms), ([, name, code]) => [name, code]);
}
