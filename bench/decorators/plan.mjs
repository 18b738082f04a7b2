import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { interleaved } from '../measuring/interleaved.mjs';
import { READERS } from './readers.mjs';
import { compare, median, range } from '../measuring/statistics.mjs';
import { reportOf } from '../measuring/report.mjs';

/** Maximum ratio of the time of a plan to the time of each peer. */
const BARS = { 'class-transformer + class-validator': 0.4, zod: 2 };
/** Highest ratio of the plan's time with many other classes in the process to its time alone. */
const BAR_OF_OTHERS = 1.15;

const PLAN = 'plan';
const PEERS = Object.keys(BARS);
const SHAPES = { entry: '3 fields', listing: '10 nested objects' };
const OTHERS = [0, 300];

/** Measures how long validation takes for one input, alone in the process and next to many other validated classes. */
export async function plan({ rounds }) {
  return reportOf('Validation', [await planRows(rounds)]);
}

/** Returns the measurement of `plan` as a part of a page. */
export async function planRows(rounds) {
  const values = await readingTimes(rounds);
  const configurations = Object.keys(SHAPES).flatMap((shape) => OTHERS.map((others) => ({ shape, others })));
  return {
    heading: 'Validation of one input: microseconds a call, by the number of other validated classes in the process',
    header: ['', 'others', ...Object.keys(READERS), ...PEERS.flatMap((peer) => [`plan of ${peer}`, '95 %'])],
    rows: configurations.map((configuration) => rowOf(configuration, values)),
    bars: [
      ...configurations.flatMap((configuration) => PEERS.map((peer) => barOfPeer(configuration, peer, values))),
      ...Object.keys(SHAPES).map((shape) => barOfOthers(shape, values)),
    ],
  };
}

async function readingTimes(rounds) {
  const processes = Object.keys(READERS).flatMap((reader) => OTHERS.map((others) => startReading(reader, others)));
  try {
    const subjects = Object.keys(SHAPES).flatMap((shape) => processes.map((each) => subjectOf(each, shape)));
    return await interleaved(Object.fromEntries(subjects), rounds);
  } finally {
    for (const { child } of processes) child.kill();
  }
}

function startReading(reader, others) {
  const child = fork(fileURLToPath(new URL('reading-process.mjs', import.meta.url)), [reader, String(others)]);
  const exited = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the process of ${reader} ended: ${signal ?? code}`);
  });
  // The end of the process is not an error, unless a measurement still waits for its answer.
  exited.catch(() => undefined);
  const read = async (shape) => {
    child.send(shape);
    const [microseconds] = await Promise.race([once(child, 'message'), exited]);
    return microseconds;
  };
  return { reader, others, child, read };
}

function subjectOf({ reader, others, read }, shape) {
  return [keyOf({ reader, shape, others }), () => read(shape)];
}

function keyOf({ reader, shape, others }) {
  return `${reader}, ${shape}, ${others}`;
}

function rowOf(configuration, values) {
  const times = (reader) => values[keyOf({ ...configuration, reader })];
  const compared = PEERS.map((peer) => compare(times(PLAN), times(peer)));
  return [
    SHAPES[configuration.shape],
    String(configuration.others),
    ...Object.keys(READERS).map((reader) => median(times(reader)).toFixed(2)),
    ...compared.flatMap(({ perRound, interval }) => [perRound.toFixed(2), range(interval)]),
  ];
}

function barOfPeer(configuration, peer, values) {
  const { perRound } = compare(
    values[keyOf({ ...configuration, reader: PLAN })],
    values[keyOf({ ...configuration, reader: peer })],
  );
  const place = `${SHAPES[configuration.shape]}, ${configuration.others} others`;
  return { text: `${place}: at most ${BARS[peer]} of ${peer}: ${perRound.toFixed(3)}`, met: perRound <= BARS[peer] };
}

function barOfOthers(shape, values) {
  const [alone, crowded] = OTHERS.map((others) => values[keyOf({ reader: PLAN, shape, others })]);
  const { perRound } = compare(crowded, alone);
  return {
    text: `${SHAPES[shape]}: next to ${OTHERS[1]} others at most ${BAR_OF_OTHERS} of the plan's time alone: ${perRound.toFixed(3)}`,
    met: perRound <= BAR_OF_OTHERS,
  };
}
