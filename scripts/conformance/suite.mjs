import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { ROOT, run } from '../run.mjs';

/** Later versions may ask for more; `latest` has fewer scenarios. */
export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

const NODE_OF_SUITE = 22;

// npm compares the suite's needs with the Node.js it runs on itself, not with the one it fetches for the suite.
const NPX = ['--yes', '--engine-strict=false', ...nodeIfOlder(), '--package', SUITE, '--', 'conformance', 'server'];

/** The directory that the suite writes one scenario's checks to. */
const RESULTS = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** What counts for or against a server; the others tell of what was sent, or of what it does not declare. */
const COUNTED = new Set(['SUCCESS', 'FAILURE', 'WARNING']);

/**
 * Accepted warnings. The suite sends answers with a first request, without a state. The server asks its question anyway, because a
 * client that can send unsolicited answers could approve anything.
 */
const ACCEPTED_WARNINGS = new Set(['sep-2322-ignore-unexpected-params']);

/**
 * Runs every scenario that the suite has for a revision; resolves to a map of them by name. A scenario passed if there were checks
 * and all of them succeeded or caused only accepted warnings.
 */
export async function runSuite({ url, revision }) {
  const results = await mkdtemp(join(ROOT, 'node_modules', '.conformance-'));
  try {
    const options = ['--url', url, '--requirements', revision, '--output-dir', relative(ROOT, results)];
    const { output } = await run('npx', [...NPX, ...options]);
    const directories = (await readdir(results)).toSorted();
    // Its exit code is that of failed scenarios, too.
    if (directories.length !== announced(output)) throw new Error(`The suite broke off:\n${stripVTControlCharacters(output)}`);
    return new Map(await Promise.all(directories.map((directory) => readScenario(results, directory))));
  } finally {
    await rm(results, { recursive: true });
  }
}

function announced(output) {
  return Number(/\((\d+) scenarios\)/.exec(output)?.[1]);
}

async function readScenario(results, directory) {
  const [, scenario = directory] = RESULTS.exec(directory) ?? [];
  const checks = JSON.parse(await readFile(join(results, directory, 'checks.json'), 'utf8'));
  const counted = checks.filter(({ status }) => COUNTED.has(status));
  const others = counted.filter(({ id, status }) => status !== 'SUCCESS' && !isAccepted(id, status));
  return [
    scenario,
    {
      ok: counted.length > 0 && others.length === 0,
      checks: `${counted.length - others.length}/${counted.length}`,
      problems: others.map(
        ({ id, status, errorMessage, details }) => `${status} ${id}: ${errorMessage ?? JSON.stringify(details)}`,
      ),
    },
  ];
}

function isAccepted(id, status) {
  return status === 'WARNING' && ACCEPTED_WARNINGS.has(id);
}

function nodeIfOlder() {
  return Number(process.versions.node.split('.')[0]) < NODE_OF_SUITE ? ['--package', `node@${NODE_OF_SUITE}`] : [];
}
