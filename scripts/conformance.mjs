import { ROOT } from './run.mjs';
import { setup } from './setup.mjs';
import { NEED_SESSIONS, SCENARIOS } from './conformance/scenarios.mjs';
import { SUITE, runScenario } from './conformance/suite.mjs';

const HELP = `Usage: npm run conformance

Serves this directory with the filesystem server over HTTP and runs the
scenarios of the official conformance suite that need no fixture. npm fetches
the suite, and the Node.js it needs.

Exits with 1 if a scenario failed, with 2 if the arguments cannot be used.`;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  if (args.length > 0) {
    console.error(`Unknown argument "${args[0]}".\nSee npm run conformance -- --help.`);
    return 2;
  }
  await setup();
  // Loaded after `setup`, which installs and builds what it imports.
  const { withHttpServer } = await import('./conformance/serve.mjs');
  console.log(`${SUITE} against mcp-fs, served without sessions`);
  const results = await withHttpServer(ROOT, runAll);
  for (const [revision, names] of Object.entries(NEED_SESSIONS)) {
    console.log(`\nNot run in ${revision}, because they need sessions: ${names.join(', ')}.`);
  }
  console.log('Not run in either revision: those for tools, prompts and features that the filesystem server does not have.');
  const passed = results.filter(({ ok }) => ok).length;
  console.log(`\n${passed} of ${results.length} scenarios passed.`);
  return passed === results.length ? 0 : 1;
}

async function runAll(url) {
  const results = [];
  for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
    console.log(`\n${revision}`);
    for (const scenario of scenarios) {
      const { ok, checks, output } = await runScenario({ url, revision, scenario });
      console.log(`  ${ok ? 'passed' : 'FAILED'}  ${scenario.padEnd(42)}${checks.padStart(6)} checks`);
      if (!ok) console.log(output);
      results.push({ ok });
    }
  }
  return results;
}
