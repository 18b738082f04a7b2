import { deepEqual } from 'node:assert/strict';

import { startHttpLoad } from './http-load.mjs';
import { startHttpServer } from './http-subject.mjs';
import { interleaved } from '../measuring/interleaved.mjs';
import { separateProcessors } from '../measuring/processors.mjs';
import { CALL } from '../clients/requests.mjs';
import { compare, median, range } from '../measuring/statistics.mjs';
import { reportOf } from '../measuring/report.mjs';

const OURS = 'serveHttp';
const REFERENCE = 'SDK alone';
const JSON_REFERENCE = 'SDK alone, JSON';
const FLOOR = 'node:http alone';

const OURS_IN = { file: '../echo/echo-http-server.mjs', path: '/mcp' };
const SDK_IN = { file: '../echo/echo-sdk-http-server.mjs' };
const FLOOR_IN = { file: '../echo/raw-http-server.mjs', path: '/mcp' };

/** The measured servers: file, path, whether sessions are opened there, and how many times as many calls serveHttp has to answer. */
const SUBJECTS = [
  { era: '2026-07-28', name: OURS, ...OURS_IN },
  { era: '2026-07-28', name: REFERENCE, ...SDK_IN, path: '/mcp', bar: 4 },
  { era: '2026-07-28', name: FLOOR, ...FLOOR_IN, bar: 0.3 },
  { era: '2025-11-25', name: OURS, ...OURS_IN, session: true },
  { era: '2025-11-25', name: REFERENCE, ...SDK_IN, path: '/sessions', session: true, bar: 2 },
  { era: '2025-11-25', name: JSON_REFERENCE, ...SDK_IN, path: '/json-sessions', session: true, bar: 2 },
  { era: '2025-11-25', name: FLOOR, ...FLOOR_IN, bar: 0.5 },
];

const ECHO = { name: 'echo', arguments: { text: 'The quick brown fox jumps over the lazy dog.', times: 3, loud: false } };
const CALLS = { '2026-07-28': CALL.stateless, '2025-11-25': CALL.session };

const CONNECTIONS = 32;
const CALLS_OF_A_SAMPLE = 500;

/**
 * Number of processes per server, because the speed of a process partly depends on chance: on the order of
 * optimizations and on the layout of the memory.
 */
const GENERATIONS = 3;

/** Number of calls until the engine has optimized the code. */
const WARM_UP_CALLS = 6000;

/** Measures calls per second of many clients over connections that stay open. */
export async function http({ rounds }) {
  return reportOf('Calls of a tool over HTTP', [await httpRows(rounds)]);
}

/** Returns the measurement of `http` as a part of a page. */
export async function httpRows(rounds) {
  const samples = [];
  for (let generation = 0; generation < GENERATIONS; generation += 1) samples.push(await throughput(rounds));
  const names = Object.keys(samples[0]);
  return report(Object.fromEntries(names.map((name) => [name, samples.flatMap((values) => values[name])])));
}

/**
 * Returns the calls per second of each server in each round. If two processors are available, the servers share one of
 * them, and the calling process gets the other one. The server is the bottleneck.
 */
async function throughput(rounds) {
  const [first, second] = separateProcessors();
  const load = startHttpLoad(second ?? first);
  const servers = {};
  try {
    for (const { file } of SUBJECTS) servers[file] ??= await startHttpServer(file, first);
    const subjects = {};
    for (const subject of SUBJECTS) subjects[keyOf(subject)] = await callsOf(load, servers[subject.file], subject);
    return await interleaved(subjects, rounds);
  } finally {
    for (const each of [load, ...Object.values(servers)]) await each.close();
  }
}

/** Warms a server up and verifies its answer. Returns a function that takes a sample: the calls per second. */
async function callsOf(load, server, subject) {
  const { era, path, session } = subject;
  const target = await server.target({ path, era, session, connections: CONNECTIONS, requestOf: (id) => CALLS[era](id, ECHO) });
  const run = (calls) =>
    load.run(target, calls).catch((cause) => {
      throw new Error(`${keyOf(subject)}: ${cause.message}`, { cause });
    });
  const { last } = await run(WARM_UP_CALLS);
  deepEqual(last.result.content, [{ type: 'text', text: ECHO.arguments.text }]);
  return async () => (await run(CALLS_OF_A_SAMPLE)).perSecond;
}

function report(values) {
  const compared = SUBJECTS.map((subject) => {
    const own = values[keyOf(subject)];
    return { ...subject, own, ...compare(values[keyOf({ era: subject.era, name: OURS })], own) };
  });
  return {
    heading: `Calls of a tool over HTTP, ${CONNECTIONS} connections: calls a second, and how many ${OURS} makes of each`,
    header: ['', 'calls/s', 'of medians', 'per sample', '95 %'],
    rows: compared.map(({ own, ofMedians, perRound, interval, ...subject }) => [
      keyOf(subject),
      median(own).toFixed(0),
      ...[ofMedians, perRound].map((ratio) => ratio.toFixed(2)),
      range(interval),
    ]),
    bars: compared.filter(({ bar }) => bar !== undefined).map(barOf),
  };
}

function barOf({ era, name, bar, perRound, interval }) {
  const text = `${era}: at least ${bar} times ${name}, by the median of the samples: ${perRound.toFixed(3)} (${range(interval)})`;
  return { text, met: perRound >= bar };
}

function keyOf({ era, name }) {
  return `${era}, ${name}`;
}
