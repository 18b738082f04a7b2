import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { apiPages } from './reference/api-pages.mjs';
import { readmesWithBadges } from './reference/badges.mjs';
import { benchmarkCharts } from './reference/benchmark-charts.mjs';
import { readFailures } from './reference/failures.mjs';
import { referencePage } from './reference/page.mjs';
import { permissionsPage } from './reference/permissions.mjs';
import { ROOT, isMain, run } from './workspace/run.mjs';
import { setup } from './setup.mjs';

/** The servers, by the exported names of their classes. */
const SERVERS = [
  { directory: 'fs', server: 'FilesystemServer', options: 'FilesystemOptions' },
  { directory: 'git', server: 'GitServer', options: 'GitOptions' },
  { directory: 'sql', server: 'PostgresServer', options: 'PostgresOptions' },
];

/**
 * Generates the reference pages, the charts of benchmarks and the badges of READMEs. Compares them with the checked-in files, or
 * writes the files. Resolves to an exit code and a list of the files that are out of date.
 */
export async function referencePages({ update }) {
  const servers = await Promise.all(SERVERS.map(pageOf));
  const pages = [
    ...servers,
    permissionsPage(servers.map(({ compiled }) => compiled)),
    ...apiPages(),
    ...benchmarkCharts(),
    ...(await readmesWithBadges()),
  ];
  if (update) {
    for (const { file, text } of pages) {
      mkdirSync(join(ROOT, file, '..'), { recursive: true });
      writeFileSync(join(ROOT, file), text);
    }
    return { code: 0, output: '' };
  }
  const stale = pages.filter(({ file, text }) => readIfExists(join(ROOT, file)) !== text);
  const output = stale.map(({ file }) => `${file} is out of date; to update the page, run: npm run reference`).join('\n');
  return { code: stale.length === 0 ? 0 : 1, output };
}

async function pageOf({ directory, server, options }) {
  // Imported here, because in a fresh clone the setup has to build these modules first.
  const [{ compileServer }, { describeOptions, readGroups }, { groupOptions }, { formatQuantity }, exported] = await Promise.all([
    built('packages/decorators/lib/index.js'),
    built('packages/host/dist/options/option.js'),
    built('packages/host/dist/options/help.js'),
    built('packages/host/dist/options/quantities.js'),
    built(`servers/${directory}/lib/index.js`),
  ]);
  const compiled = compileServer(exported[server]);
  const { name } = compiled.info;
  const { positional } = exported[options];
  const text = referencePage({
    compiled,
    options: describeOptions(exported[options], name),
    groups: (flags) => groupOptions(flags, readGroups(exported[options])),
    positional,
    formatQuantity,
    commands: await commandsOf(directory),
    failures: readFailures(join(ROOT, 'servers', directory, 'dist')),
  });
  return { file: `docs/reference/${name}.md`, text, compiled };
}

/** Returns the lines of `--help` that describe the commands. */
async function commandsOf(directory) {
  const { output } = await run('node', [join('servers', directory, 'bin', `mcp-${directory}.js`), '--help']);
  const [, commands = ''] = /^Commands:\n((?: .*\n)+)/m.exec(output) ?? [];
  return commands.trimEnd();
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
