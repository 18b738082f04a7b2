import { run, runWithPnpm } from './run.mjs';
import { setup } from './setup.mjs';

/** Turns the changesets into versions and changelogs, and writes the new ranges into the lock file. */
await setup();
const steps = [() => run('changeset', ['version']), () => runWithPnpm('pnpm', ['install', '--lockfile-only'])];
for (const step of steps) {
  const { code, output } = await step();
  console.log(output);
  if (code !== 0) process.exit(code);
}
