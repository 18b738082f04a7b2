import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT, run, runWithPnpm } from './run.mjs';
import { setup } from './setup.mjs';
import { workspaceDirectories } from './workspace.mjs';

/** Turns the changesets into versions and changelogs, and writes them where they are also needed: sources and lock file. */
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

/** A server says its version on the wire, so it is part of its code. */
function writeVersion(directory) {
  const file = join(directory, 'src', 'version.ts');
  if (!existsSync(file)) return;
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  writeFileSync(file, `export const VERSION = '${version}';\n`);
}
