import { startHttpLoad } from './http-load.mjs';
import { targetOf } from './http-subject.mjs';
import { startReplicas } from './replicas.mjs';
import { CALL } from '../clients/requests.mjs';
import { versionOf } from '../measuring/native.mjs';
import { interleaved } from '../measuring/interleaved.mjs';
import { timeOfThreads } from '../measuring/processor-time.mjs';
import { reportOf } from '../measuring/report.mjs';
import { compare, median, range } from '../measuring/statistics.mjs';

const ECHO = { name: 'echo', arguments: { text: 'The quick brown fox jumps over the lazy dog.', times: 3, loud: false } };
const CONNECTIONS = 128;
const CALLS_OF_A_SAMPLE = 4000;
const WARM_UP_CALLS = 20_000;

const STATELESS = { era: '2026-07-28', requestOf: (id) => CALL.stateless(id, ECHO) };
const SESSION = { era: '2025-11-25', requestOf: (id) => CALL.session(id, ECHO) };

/**
 * The measured cases. `route` returns the process that connection `index` calls, and the process that opens its session, among
 * the URLs of the processes.
 */
const SUBJECTS = [
  { name: '2026-07-28, 1 process', count: 1, ...STATELESS, route: (urls) => ({ to: urls[0] }) },
  { name: '2026-07-28, 4 processes in turn', count: 4, ...STATELESS, route: (urls, index) => ({ to: urls[index % 4] }), bar: 3 },
  { name: 'sessions, 1 process', count: 1, ...SESSION, route: (urls) => ({ to: urls[0], openedAt: urls[0] }) },
  { name: 'sessions, 4 processes by session', count: 4, ...SESSION, route: (urls, index) => ownRoute(urls[index % 4]), bar: 3 },
  {
    name: 'sessions, 4 processes in turn',
    count: 4,
    ...SESSION,
    route: (urls, index) => ({ to: urls[index % 4], openedAt: urls[(index >> 2) % 4] }),
  },
];

function ownRoute(url) {
  return { to: url, openedAt: url };
}

/** Measures how many calls several processes answer with shared sessions, compared with one process. */
export async function scaling({ rounds }) {
  return reportOf('Several processes', [await scalingRows(rounds)]);
}

/** Returns the measurement of `scaling` as a part of a page. */
export async function scalingRows(rounds) {
  if (versionOf('redis-server') === undefined) throw new Error('this benchmark needs redis-server');
  const load = startHttpLoad(undefined);
  const replicas = { 1: await startReplicas(1), 4: await startReplicas(4) };
  try {
    const subjects = {};
    for (const subject of SUBJECTS) subjects[subject.name] = await callsOf(load, replicas[subject.count].processes, subject);
    return report(await interleaved(subjects, rounds));
  } finally {
    for (const each of [load, ...Object.values(replicas)]) await each.close();
  }
}

/** Warms the processes up. Returns a function that takes a sample: the calls per second of CPU time of the busiest process. */
async function callsOf(load, processes, { era, requestOf, route }) {
  const urls = processes.map(({ url }) => url);
  const target = await targetOf({
    era,
    requestOf,
    routes: Array.from({ length: CONNECTIONS }, (_, index) => route(urls, index)),
  });
  await load.run(target, WARM_UP_CALLS);
  return async () => {
    const before = processes.map(({ pid }) => timeOfThreads(pid));
    await load.run(target, CALLS_OF_A_SAMPLE);
    const busiest = Math.max(...processes.map(({ pid }, index) => timeOfThreads(pid) - before[index]));
    return (CALLS_OF_A_SAMPLE / busiest) * 1000;
  };
}

function report(values) {
  const compared = SUBJECTS.map((subject) => {
    const one = SUBJECTS.find(({ count, era }) => count === 1 && era === subject.era);
    return { ...subject, own: values[subject.name], ...compare(values[subject.name], values[one.name]) };
  });
  return {
    heading: `Several processes with --shared-sessions on Redis, ${CONNECTIONS} connections: calls per second of CPU time of the busiest process`,
    header: ['', 'calls/s', 'of medians', 'per sample', '95 %'],
    rows: compared.map(({ name, own, ofMedians, perRound, interval }) => [
      name,
      median(own).toFixed(0),
      ...[ofMedians, perRound].map((ratio) => ratio.toFixed(2)),
      range(interval),
    ]),
    bars: compared
      .filter(({ bar }) => bar !== undefined)
      .map(({ name, bar, perRound, interval }) => ({
        text: `${name}: at least ${bar} times as many calls as 1 process, by the median of the samples: ${perRound.toFixed(2)} (${range(interval)})`,
        met: perRound >= bar,
      })),
  };
}
