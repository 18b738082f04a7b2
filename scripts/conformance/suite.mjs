import { stripVTControlCharacters } from 'node:util';

import { run } from '../run.mjs';

/** Later versions may ask for more; `latest` has fewer scenarios. */
export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

const NODE_OF_SUITE = 22;

// npm compares the suite's needs with the Node.js it runs on itself, not with the one it fetches for the suite.
const NPX = ['--yes', '--engine-strict=false', ...nodeIfOlder(), '--package', SUITE, '--', 'conformance', 'server'];

/** Runs one scenario; it passed if there were checks and all of them succeeded without a warning. */
export async function runScenario({ url, revision, scenario }) {
  const { code, output } = await run('npx', [...NPX, '--url', url, '--scenario', scenario, '--spec-version', revision]);
  const text = stripVTControlCharacters(output);
  const [, passed, total, warnings] = /Passed: (\d+)\/(\d+), \d+ failed, (\d+) warnings/.exec(text) ?? [text, '0', '0', '0'];
  const ok = code === 0 && Number(total) > 0 && passed === total && warnings === '0';
  return { ok, checks: `${passed}/${total}`, output: text };
}

function nodeIfOlder() {
  return Number(process.versions.node.split('.')[0]) < NODE_OF_SUITE ? ['--package', `node@${NODE_OF_SUITE}`] : [];
}
