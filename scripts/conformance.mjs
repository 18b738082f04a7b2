import { setup } from './setup.mjs';
import { setup as compileTests } from './compile-tests.mjs';
import { SUITE, runSuite } from './conformance/suite.mjs';

const REVISIONS = ['2025-11-25', '2026-07-28'];

const HELP = `Usage: npm run conformance

Serves a server with the fixtures of the official conformance suite over HTTP,
and this directory with the filesystem server, and runs the suite against both.
npm fetches the suite, and the Node.js it needs.

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
  // Loaded after what they import was installed, built and compiled.
  const { withHttpServer } = await import('./conformance/serve.mjs');
  const { TARGETS } = await import('./conformance/targets.mjs');
  console.log(`${SUITE}, against servers without sessions`);
  const outcomes = [];
  for (const target of TARGETS) outcomes.push(...(await withHttpServer(target.create(), (url) => runTarget(target, url))));
  const failed = outcomes.filter((outcome) => outcome === 'FAILED').length;
  const excused = outcomes.filter((outcome) => outcome === 'not yet').length;
  console.log(`\n${outcomes.length - excused - failed} scenarios passed, ${failed} failed, ${excused} cannot pass yet.`);
  return failed === 0 ? 0 : 1;
}

async function runTarget({ name, expectations }, url) {
  const outcomes = [];
  for (const revision of REVISIONS) {
    console.log(`\n${revision}, ${name}`);
    const results = await runSuite({ url, revision });
    outcomes.push(...expectations(revision, [...results.keys()]).map((expected) => report(expected, results)));
  }
  return outcomes;
}

/** Prints a line for a scenario, and what is wrong with it. */
function report({ scenario, excuse }, results) {
  const { ok, checks, problems } = results.get(scenario) ?? { ok: false, checks: '0/0', problems: ['The suite did not run it.'] };
  const outcome = outcomeOf(ok, excuse);
  console.log(
    `  ${outcome.padEnd(7)}  ${scenario.padEnd(45)}${checks.padStart(6)} checks${excuse === undefined ? '' : `  ${excuse}`}`,
  );
  if (outcome !== 'FAILED') return outcome;
  for (const problem of ok ? ['It passed: take it off the list of those that cannot yet.'] : problems)
    console.log(`    ${problem}`);
  return outcome;
}

function outcomeOf(ok, excuse) {
  if (excuse === undefined) return ok ? 'passed' : 'FAILED';
  return ok ? 'FAILED' : 'not yet';
}
