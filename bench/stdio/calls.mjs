import { deepEqual } from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

import { startCaller } from '../clients/caller.mjs';
import { interleaved } from '../measuring/interleaved.mjs';
import { onOneProcessor } from '../measuring/one-processor.mjs';
import { CALL, INITIALIZE, INITIALIZED } from '../clients/requests.mjs';
import { compare, median, range } from '../measuring/statistics.mjs';
import { reportOf } from '../measuring/report.mjs';

const OURS = 'annotated class';
const REFERENCE = 'SDK alone';
const SERVERS = { [OURS]: '../echo/echo-server.mjs', [REFERENCE]: '../echo/echo-sdk-server.mjs' };

const ECHO = { name: 'echo', arguments: { text: 'The quick brown fox jumps over the lazy dog.', times: 3, loud: false } };
const ERAS = {
  '2025-11-25': { opening: [INITIALIZE, INITIALIZED], call: CALL.session },
  '2026-07-28': { opening: [], call: CALL.stateless },
};

/** Number of calls in flight and of calls per sample, and maximum ratio to the time of the reference. */
const MODES = {
  'one at a time': { inFlight: 1, calls: 250, bar: 0.9 },
  '20 in flight': { inFlight: 20, calls: 500, bar: 0.5 },
};

/**
 * Number of pairs of processes, because the speed of a process partly depends on chance: on the order of optimizations
 * and on the layout of the memory.
 */
const PAIRS = 4;

/**
 * Number of samples per round and pair. Short samples are better than a long one, because the load of the machine
 * changes quickly.
 */
const SAMPLES = 2;

/** Number of calls until the engine has optimized the code. */
const WARM_UP_CALLS = 5000;

/**
 * Measures the time of a call as a client sees it: over stdio, with a server that is not bundled, like its reference.
 */
export async function calls({ rounds }) {
  return reportOf('Calls of a tool over stdio', [await callRows(rounds)]);
}

/** Returns the measurement of `calls` as a part of a page. */
export async function callRows(rounds) {
  const pairs = [];
  await onOneProcessor(async () => {
    for (let pair = 0; pair < PAIRS; pair += 1) pairs.push(await callTimes(rounds * SAMPLES));
  });
  const names = Object.keys(pairs[0]);
  return report(Object.fromEntries(names.map((name) => [name, pairs.flatMap((values) => values[name])])));
}

async function callTimes(rounds) {
  const callers = [];
  try {
    for (const era of Object.keys(ERAS)) await startBoth(era, callers);
    const subjects = Object.entries(MODES).flatMap(([mode, { inFlight, calls }]) =>
      callers.map(({ era, server, caller }) => [
        keyOf(era, mode, server),
        async () => (await caller.run(calls, inFlight)).perCall,
      ]),
    );
    return await interleaved(Object.fromEntries(subjects), rounds);
  } finally {
    await Promise.all(callers.map(({ caller }) => caller.close()));
  }
}

/** Starts both servers of an era, warms them up and verifies that their answers are equal. */
async function startBoth(era, callers) {
  const { opening, call } = ERAS[era];
  const answers = [];
  for (const [server, file] of Object.entries(SERVERS)) {
    const caller = startCaller([fileURLToPath(new URL(file, import.meta.url))], (id) => call(id, ECHO));
    callers.push({ era, server, caller });
    for (const message of opening) await caller.send(message);
    for (const { inFlight } of Object.values(MODES)) answers.push((await caller.run(WARM_UP_CALLS, inFlight)).last.result);
  }
  deepEqual(answers[0].content, [{ type: 'text', text: ECHO.arguments.text }]);
  for (const answer of answers) deepEqual(answer, answers[0]);
}

function report(values) {
  const configurations = Object.keys(ERAS).flatMap((era) => Object.keys(MODES).map((mode) => ({ era, mode })));
  const compared = configurations.map(({ era, mode }) => {
    const [ours, reference] = [OURS, REFERENCE].map((server) => values[keyOf(era, mode, server)]);
    return { place: `${era}, ${mode}`, bar: MODES[mode].bar, ours, reference, ...compare(ours, reference) };
  });
  return {
    heading: 'Calls of a tool over stdio: microseconds a call',
    header: ['', OURS, REFERENCE, 'of medians', 'per sample', '95 %'],
    rows: compared.map(({ place, ours, reference, ofMedians, perRound, interval }) => [
      place,
      ...[ours, reference].map((times) => median(times).toFixed(0)),
      ...[ofMedians, perRound].map((ratio) => ratio.toFixed(2)),
      range(interval),
    ]),
    bars: compared.map(barOf),
  };
}

function barOf({ place, bar, perRound, interval }) {
  const text = `${place}: at most ${bar} of the SDK's time, by the median of the samples: ${perRound.toFixed(3)} (${range(interval)})`;
  return { text, met: perRound <= bar };
}

function keyOf(...parts) {
  return parts.join(', ');
}
