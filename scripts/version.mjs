import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT, run, runWithPnpm } from './workspace/run.mjs';
import { writeClientFiles } from './release-files.mjs';
import { setup } from './setup.mjs';
import { workspaceDirectories } from './workspace/packages.mjs';

/**
 * Converts the changesets to versions and changelogs, and also writes the versions to the sources and the lock file.
 */
await setup();
await step('changeset', run('changeset', ['version']));
for (const directory of workspaceDirectories()) writeVersion(join(ROOT, directory));
await writeClientFiles();
await step('pnpm', runWithPnpm('pnpm', ['install', '--lockfile-only']));

async function step(name, running) {
  const { code, output } = await running;
  console.log(output);
  if (code === 0) return;
  console.error(`${name} failed.`);
  process.exit(code);
}

/** Writes the version into the code of a server, which sends the version to clients, and into its entry of the MCP Registry. */
function writeVersion(directory) {
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const code = join(directory, 'src', 'version.ts');
  if (existsSync(code)) writeFileSync(code, `export const VERSION = '${version}';\n`);
  const file = join(directory, 'server.json');
  if (!existsSync(file)) return;
  const { packages, ...entry } = JSON.parse(readFileSync(file, 'utf8'));
  const released = { ...entry, version, packages: packages.map((packed) => ({ ...packed, version })) };
  writeFileSync(file, `${JSON.stringify(released, undefined, 2)}\n`);
}
