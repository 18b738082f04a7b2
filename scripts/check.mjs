import { apiReports } from './api.mjs';
import { checkDocs } from './check/docs.mjs';
import { referencePages } from './reference.mjs';
import { checkPackages } from './check/packages.mjs';
import { setup } from './setup.mjs';
import { run } from './workspace/run.mjs';

/** The steps of the check. Every step runs even if an earlier one fails; each resolves to an exit code and its output. */
const STEPS = {
  format: () => run('oxfmt', ['--check', '.']),
  lint: () => run('oxlint', ['--config', 'oxlint.config.mjs']),
  structure: () => run('node', ['scripts/structure.mjs']),
  words: () => run('node', ['scripts/words.mjs']),
  typecheck: () => run('tsc', ['-b']),
  knip: () => run('knip', ['--no-progress']),
  sherif: () => run('sherif', []),
  api: () => apiReports({ update: false }),
  reference: () => referencePages({ update: false }),
  packages: checkPackages,
  docs: checkDocs,
};

await setup();
const failed = [];
for (const [name, check] of Object.entries(STEPS)) {
  const started = performance.now();
  const { code, output } = await check();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (code === 0) continue;
  failed.push(name);
  console.log(output);
}
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
