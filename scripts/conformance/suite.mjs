import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { ROOT, run } from '../workspace/run.mjs';

/** The version of the suite is pinned, because later versions may require more, and `latest` has fewer scenarios. */
export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

const NODE_OF_SUITE = 22;

// `--engine-strict=false`, because npm compares the required engine of the suite with its own Node.js, not with the
// Node.js that it fetches for the suite.
const NPX = ['--yes', '--engine-strict=false', ...nodeIfOlder(), '--package', SUITE, '--', 'conformance', 'server'];

/** Matches the name of the directory to which the suite writes the checks of one scenario. */
const RESULTS = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/**
 * Check results that count for or against a server. Other results describe the messages, or capabilities that the server does not
 * declare.
 */
const COUNTED = new Set(['SUCCESS', 'FAILURE', 'WARNING']);

/**
 * Accepted warnings. The suite sends answers with a first request, without a state. The server sends its question
 * anyway, because otherwise a client could approve anything with unsolicited answers.
 */
const ACCEPTED_WARNINGS = new Set(['sep-2322-ignore-unexpected-params']);

/**
 * Runs every scenario of the suite for a revision. Resolves to a map of the results by scenario. A scenario passed if
 * it has at least one check and all its checks succeeded or caused only accepted warnings.
 */
export async function runSuite({ url, revision }) {
  const results = await mkdtemp(join(ROOT, 'node_modules', '.conformance-'));
  try {
    const options = ['--url', url, '--requirements', revision, '--output-dir', relative(ROOT, results)];
    const { output } = await run('npx', [...NPX, ...options]);
    const directories = (await readdir(results)).toSorted();
    // The exit code is not used, because it is also non-zero if scenarios fail.
    if (directories.length !== announced(output))
      throw new Error(`The suite stopped early:\n${stripVTControlCharacters(output)}`);
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
