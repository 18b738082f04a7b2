import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { interleaved } from '../measuring/interleaved.mjs';
import { READERS } from './readers.mjs';
import { compare, median, range } from '../measuring/statistics.mjs';
import { table } from '../measuring/table.mjs';

/** Maximum ratio of the time of a plan to the time of the peer. */
const BAR = 0.4;
/** Highest ratio of the plan's time with many other classes in the process to its time alone. */
const BAR_OF_OTHERS = 1.15;

const PLAN = 'plan';
const PEER = 'class-transformer + class-validator';
const SHAPES = { entry: '3 fields', listing: '10 nested objects' };
const OTHERS = [0, 300];

/** Measures how long validation takes for one input, alone in the process and next to many other validated classes. */
export async function plan({ rounds }) {
  const values = await readingTimes(rounds);
  const configurations = Object.keys(SHAPES).flatMap((shape) => OTHERS.map((others) => ({ shape, others })));
  return {
    title: 'Reading one input: microseconds a call, by the number of other validated classes in the process',
    body: table(
      ['', 'others', ...Object.keys(READERS), 'plan of peer', '95 %'],
      configurations.map((configuration) => rowOf(configuration, values)),
    ),
    bars: [
      ...configurations.map((configuration) => barOfPeer(configuration, values)),
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
  const { perRound, interval } = compare(times(PLAN), times(PEER));
  return [
    SHAPES[configuration.shape],
    String(configuration.others),
    ...Object.keys(READERS).map((reader) => median(times(reader)).toFixed(2)),
    perRound.toFixed(2),
    range(interval),
  ];
}

function barOfPeer(configuration, values) {
  const { perRound } = compare(
    values[keyOf({ ...configuration, reader: PLAN })],
    values[keyOf({ ...configuration, reader: PEER })],
  );
  const place = `${SHAPES[configuration.shape]}, ${configuration.others} others`;
  return { text: `${place}: at most ${BAR} of ${PEER}: ${perRound.toFixed(3)}`, met: perRound <= BAR };
}

function barOfOthers(shape, values) {
  const [alone, crowded] = OTHERS.map((others) => values[keyOf({ reader: PLAN, shape, others })]);
  const { perRound } = compare(crowded, alone);
  return {
    text: `${SHAPES[shape]}: next to ${OTHERS[1]} others at most ${BAR_OF_OTHERS} of the plan's time alone: ${perRound.toFixed(3)}`,
    met: perRound <= BAR_OF_OTHERS,
  };
}
