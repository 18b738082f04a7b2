import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT, run, runWithPnpm } from './workspace/run.mjs';
import { setup } from './setup.mjs';
import { workspaceDirectories } from './workspace/packages.mjs';

/**
 * Converts the changesets to versions and changelogs, and also writes the versions to the sources and the lock file.
 */
await setup();
await step('changeset', run('changeset', ['version']));
for (const directory of workspaceDirectories()) writeVersion(join(ROOT, directory));
await step('pnpm', runWithPnpm('pnpm', ['install', '--lockfile-only']));

async function step(name, running) {
  const { code, output } = await running;
  console.log(output);
  if (code === 0) return;
  console.error(`${name} failed.`);
  process.exit(code);
}

/** Writes the version into the code of a server, which sends the version to clients. */
function writeVersion(directory) {
  const file = join(directory, 'src', 'version.ts');
  if (!existsSync(file)) return;
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  writeFileSync(file, `export const VERSION = '${version}';\n`);
}
