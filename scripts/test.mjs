import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { run } from './run.mjs';
import { setup } from './setup.mjs';

/** One vitest run each; their results are added up. */
const RUNS = [
  { name: 'sources', args: [] },
  { name: 'compiled', args: ['--config', 'vitest.compiled.config.ts'] },
];

const REPORTER = fileURLToPath(new URL('results-reporter.mjs', import.meta.url));

await setup();
const total = { passed: 0, skipped: 0, failures: [] };
const directory = mkdtempSync(join(tmpdir(), 'mcp-test-'));
for (const { name, args } of RUNS) {
  const { passed, skipped, failures } = await runVitest(join(directory, `${name}.json`), [...args, ...process.argv.slice(2)]);
  total.passed += passed;
  total.skipped += skipped;
  total.failures.push(...failures);
}
rmSync(directory, { recursive: true, force: true });

const failed = total.failures.length;
if (failed > 0 || total.passed === 0) process.exitCode = 1;
// Once more at the end, where a log that is cut still has them.
if (failed > 0) console.log(['Tests that failed:', ...total.failures].join('\n'));
console.log(`${total.passed} passed, ${failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);

async function runVitest(file, args) {
  const reporters = ['--reporter=default', `--reporter=${REPORTER}`];
  const options = { inherit: true, variables: { MCP_TEST_RESULTS: file } };
  const { code } = await run('vitest', ['run', '--passWithNoTests', ...reporters, ...args], options);
  const results = readResults(file);
  if (code !== 0 && results.failures.length === 0)
    results.failures.push(`vitest ended with ${code}; what it printed has the reason`);
  return results;
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, skipped: 0, failures: [] };
  }
}
