import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from './run.mjs';
import { setup } from './setup.mjs';

/** One vitest run each; their results are added up. */
const RUNS = [
  { name: 'sources', args: [] },
  { name: 'compiled', args: ['--config', 'vitest.compiled.config.ts'] },
];

const STATUSES = { passed: 'passed', failed: 'failed' };

await setup();
const total = { passed: 0, failed: 0, skipped: 0 };
const reports = mkdtempSync(join(tmpdir(), 'mcp-test-'));
for (const { name, args } of RUNS) {
  const counts = await runVitest(join(reports, `${name}.json`), [...args, ...process.argv.slice(2)]);
  for (const status of Object.keys(total)) total[status] += counts[status];
}
rmSync(reports, { recursive: true, force: true });

if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);

async function runVitest(report, args) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await run('vitest', ['run', '--passWithNoTests', ...reporters, ...args], { inherit: true });
  const counts = countTests(readReport(report));
  // A run that ends badly without a failed test has crashed or met an unhandled error.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function countTests(files) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of files) {
    const failedBefore = counts.failed;
    for (const { status } of file.assertionResults) counts[STATUSES[status] ?? 'skipped'] += 1;
    // A file that failed without a failed test could not be loaded, or a hook of its failed.
    if (file.status === 'failed' && counts.failed === failedBefore) counts.failed += 1;
  }
  return counts;
}

function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    return [];
  }
}
