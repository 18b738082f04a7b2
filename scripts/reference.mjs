import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { failuresOf } from './reference/failures.mjs';
import { referencePage } from './reference/page.mjs';
import { ROOT, isMain } from './run.mjs';
import { setup } from './setup.mjs';

/** The servers, by the exported names of their classes. */
const SERVERS = [
  { directory: 'fs', server: 'FilesystemServer', options: 'FilesystemOptions' },
  { directory: 'git', server: 'GitServer', options: 'GitOptions' },
  { directory: 'sql', server: 'PostgresServer', options: 'PostgresOptions' },
];

/**
 * Compares the reference pages of the servers with what their built classes say, or writes them.
 * Resolves to an exit code and to what is wrong.
 */
export async function referencePages({ update }) {
  const pages = await Promise.all(SERVERS.map(pageOf));
  if (update) {
    for (const { file, text } of pages) {
      mkdirSync(join(ROOT, file, '..'), { recursive: true });
      writeFileSync(join(ROOT, file), text);
    }
    return { code: 0, output: '' };
  }
  const stale = pages.filter(({ file, text }) => readIfExists(join(ROOT, file)) !== text);
  const output = stale.map(({ file }) => `${file} is out of date; update it by: npm run reference`).join('\n');
  return { code: stale.length === 0 ? 0 : 1, output };
}

async function pageOf({ directory, server, options }) {
  // Not imported above: they are built by the setup of a fresh clone.
  const [{ compileServer }, { ServerOptions }, { optionsOf }, exported] = await Promise.all([
    built('packages/decorators/dist/index.js'),
    built('packages/host/dist/index.js'),
    built('packages/host/dist/options/option.js'),
    built(`servers/${directory}/dist/index.js`),
  ]);
  const compiled = compileServer(exported[server]);
  const { name } = compiled.info;
  const common = new Set(optionsOf(ServerOptions, name).map(({ property }) => property));
  const { positional } = exported[options];
  const operations = join(ROOT, 'servers', directory, 'dist/operations');
  const text = referencePage({
    compiled,
    options: optionsOf(exported[options], name),
    common,
    positional,
    failures: (tool) => failuresOf(operations, tool),
  });
  return { file: `docs/reference/${name}.md`, text };
}

function built(file) {
  return import(pathToFileURL(join(ROOT, file)).href);
}

function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

if (isMain(import.meta.url)) {
  await setup();
  await referencePages({ update: true });
  console.log('The reference pages are up to date.');
}
