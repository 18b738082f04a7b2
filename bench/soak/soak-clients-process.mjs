import { officialClient } from './official-acts.mjs';
import { randomBy } from '../generated/random.mjs';
import { sessionClient } from './session-acts.mjs';
import { statelessClient } from './stateless-acts.mjs';

/**
 * `node soak-clients-process.mjs URL SECONDS SEED`: runs clients of every kind concurrently until the time is over; the
 * seed determines their actions. Reports the number of each action and the failures to its parent, and ends with all
 * its connections.
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
