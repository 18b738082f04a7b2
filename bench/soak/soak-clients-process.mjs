import { officialClient } from './official-acts.mjs';
import { randomBy } from './random.mjs';
import { sessionClient } from './session-acts.mjs';
import { statelessClient } from './stateless-acts.mjs';

/**
 * `node soak-clients-process.mjs URL SECONDS SEED`: clients of every kind at a time, each doing what the seed says until the time is
 * over. Tells its parent what was done how often and what went wrong, and ends with all of its connections.
 */
const [url, seconds, seed] = process.argv.slice(2);

const KINDS = [
  statelessClient,
  sessionClient,
  ...['2026-07-28', '2025-11-25', '2024-11-05'].map(
    (version) =>
      (...given) =>
        officialClient(version, ...given),
  ),
];
const CLIENTS = 32;

const done = {};
const problems = {};
const end = performance.now() + Number(seconds) * 1000;

await Promise.all(
  Array.from({ length: CLIENTS }, (_, number) => run(KINDS[number % KINDS.length], randomBy(Number(seed) + number))),
);
process.send({ done, problems }, () => process.exit());

async function run(kind, random) {
  const pick = (choices) => choices[Math.floor(random() * choices.length)];
  const until = () => performance.now() >= end;
  while (!until()) {
    try {
      await kind(url, { pick, random, until, count: (act) => increment(done, act) });
    } catch (error) {
      increment(problems, error.stack.split('\n    at ').slice(0, 2).join(' at '));
    }
  }
}

function increment(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}
