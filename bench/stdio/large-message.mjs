import { fileURLToPath } from 'node:url';

import { startCaller } from '../clients/caller.mjs';
import { interleaved } from '../measuring/interleaved.mjs';
import { CALL, INITIALIZE, INITIALIZED } from '../clients/requests.mjs';
import { compare, median, range } from '../measuring/statistics.mjs';
import { table } from '../measuring/table.mjs';

const OURS = 'annotated class';
const REFERENCE = 'SDK alone';
const SERVERS = { [OURS]: '../echo/echo-server.mjs', [REFERENCE]: '../echo/echo-sdk-server.mjs' };

const MIB = 1024 * 1024;
const SIZES = [1, 9];

/** Maximum ratio to the time of the reference, for the largest size. */
const BAR = 0.6;

/**
 * Measures the time from a request to its answer, which repeats the text of the request. Each request and each answer is one
 * line, which is slightly longer than the given size.
 */
export async function largeMessage({ rounds }) {
  const callers = [];
  try {
    for (const size of SIZES) for (const server of Object.keys(SERVERS)) callers.push(await start(server, size));
    const subjects = callers.map(({ key, caller }) => [key, async () => (await caller.run(1, 1)).perCall / 1000]);
    return report(await interleaved(Object.fromEntries(subjects), rounds));
  } finally {
    await Promise.all(callers.map(({ caller }) => caller.close()));
  }
}

async function start(server, size) {
  const text = 'abcdefgh'.repeat((size * MIB) / 8);
  const args = [fileURLToPath(new URL(SERVERS[server], import.meta.url))];
  const caller = startCaller(args, (id) => CALL.session(id, { name: 'echo', arguments: { text, times: 1, loud: false } }));
  for (const message of [INITIALIZE, INITIALIZED]) await caller.send(message);
  const { last } = await caller.run(1, 1);
  if (last.result?.content[0].text !== text)
    throw new Error(`${server} answered otherwise: ${JSON.stringify(last).slice(0, 500)}`);
  return { key: keyOf(size, server), caller };
}

function report(values) {
  const compared = SIZES.map((size) => {
    const [ours, reference] = [OURS, REFERENCE].map((server) => values[keyOf(size, server)]);
    return { size, ours, reference, ...compare(ours, reference) };
  });
  const { size, perRound } = compared.at(-1);
  return {
    title: 'A large message over stdio and the answer that repeats it: milliseconds',
    body: table(
      ['', OURS, REFERENCE, 'of medians', 'per round', '95 %'],
      compared.map(({ size: each, ours, reference, ofMedians, perRound: ratio, interval }) => [
        `${each} MiB`,
        ...[ours, reference].map((times) => median(times).toFixed(0)),
        ...[ofMedians, ratio].map((number) => number.toFixed(2)),
        range(interval),
      ]),
    ),
    bars: [
      {
        text: `${size} MiB: at most ${BAR} of the SDK's time, by the median of the rounds: ${perRound.toFixed(3)}`,
        met: perRound <= BAR,
      },
    ],
  };
}

function keyOf(size, server) {
  return `${size} MiB, ${server}`;
}
