import { setup } from './setup.mjs';
import { setup as compileTests } from './compile-tests.mjs';
import { SUITE, runSuite } from './conformance/suite.mjs';

const REVISIONS = ['2025-11-25', '2026-07-28'];

const HELP = `Usage: npm run conformance

Runs the official conformance suite over HTTP against four servers: a server
with the fixtures of the suite, the servers for files and git on this directory,
and the SQL server with sample data. npm downloads the suite, and a newer Node.js
if the suite needs one.

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
  await compileTests();
  // Imported here, because the setup has to install, build and compile these modules first.
  const { withHttpServer } = await import('./conformance/serve.mjs');
  const { TARGETS } = await import('./conformance/targets.mjs');
  console.log(SUITE);
  const outcomes = [];
  for (const target of TARGETS) outcomes.push(...(await withHttpServer(target.create(), (url) => runTarget(target, url))));
  const failed = outcomes.filter((ok) => !ok).length;
  console.log(`\n${outcomes.length - failed} scenarios passed, ${failed} failed.`);
  return failed === 0 ? 0 : 1;
}

async function runTarget({ name, expected }, url) {
  const outcomes = [];
  for (const revision of REVISIONS) {
    console.log(`\n${revision}, ${name}`);
    const results = await runSuite({ url, revision });
    outcomes.push(...expected(revision, [...results.keys()]).map((scenario) => report(scenario, results)));
  }
  return outcomes;
}

/** Prints a line for a scenario and its problems. Returns whether the scenario passed. */
function report(scenario, results) {
  const { ok, checks, problems } = results.get(scenario) ?? {
    ok: false,
    checks: '0/0',
    problems: ['The suite did not run this scenario.'],
  };
  console.log(`  ${ok ? 'passed' : 'FAILED'}  ${scenario.padEnd(45)}${checks.padStart(6)} checks`);
  for (const problem of ok ? [] : problems) console.log(`    ${problem}`);
  return ok;
}
