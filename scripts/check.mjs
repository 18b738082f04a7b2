import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { apiReports } from './api.mjs';
import { referencePages } from './reference.mjs';
import { run, runWithPnpm } from './workspace/run.mjs';
import { setup } from './setup.mjs';
import { publishedPackages } from './workspace/packages.mjs';

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

/** Packs the published packages and checks the tarballs like the Node.js and TypeScript of a consumer. */
async function checkPackages() {
  const filters = publishedPackages().map((name) => `--filter=${name}`);
  const directory = mkdtempSync(join(tmpdir(), 'mcp-pack-'));
  try {
    const packed = await runWithPnpm('pnpm', [...filters, 'pack', '--pack-destination', directory]);
    const tarballs = readdirSync(directory).map((name) => join(directory, name));
    const verdicts = await Promise.all(tarballs.flatMap(checkTarball));
    return {
      code: tarballs.length === filters.length && [packed, ...verdicts].every(({ code }) => code === 0) ? 0 : 1,
      output: [packed, ...verdicts]
        .filter(({ code }) => code !== 0)
        .map(({ output }) => output)
        .join('\n'),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function checkTarball(tarball) {
  return [run('publint', ['run', tarball, '--strict']), run('attw', [tarball, '--profile', 'esm-only', '--no-color'])];
}
