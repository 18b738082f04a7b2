import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { run } from './workspace/run.mjs';
import { setup } from './setup.mjs';

const REPORTER = fileURLToPath(new URL('results-reporter.mjs', import.meta.url));

await setup();
const directory = mkdtempSync(join(tmpdir(), 'mcp-test-'));
const { passed, skipped, failures } = await runVitest(join(directory, 'results.json'), process.argv.slice(2));
rmSync(directory, { recursive: true, force: true });

if (failures.length > 0 || passed === 0) process.exitCode = 1;
// Repeats the failures at the end, where a truncated log still contains them.
if (failures.length > 0) console.log(['Tests that failed:', ...failures].join('\n'));
console.log(`${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);

async function runVitest(file, args) {
  const reporters = ['--reporter=default', `--reporter=${REPORTER}`];
  const options = { inherit: true, variables: { MCP_TEST_RESULTS: file } };
  const { code } = await run('vitest', ['run', '--passWithNoTests', ...reporters, ...args], options);
  const results = readResults(file);
  if (code !== 0 && results.failures.length === 0)
    results.failures.push(`vitest ended with ${code}; its output contains the reason`);
  return results;
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, skipped: 0, failures: [] };
  }
}
