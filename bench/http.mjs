import { deepEqual } from 'node:assert/strict';

import { startHttpLoad } from './http-load.mjs';
import { startHttpServer } from './http-subject.mjs';
import { interleaved } from './interleaved.mjs';
import { separateProcessors } from './processors.mjs';
import { CALL } from './requests.mjs';
import { compare, median, range } from './statistics.mjs';
import { table } from './table.mjs';

const OURS = 'serveHttp';
const REFERENCE = 'SDK alone';
const JSON_REFERENCE = 'SDK alone, JSON';
const FLOOR = 'node:http alone';

const OURS_IN = { file: 'echo-http-server.mjs', path: '/mcp' };
const SDK_IN = { file: 'echo-sdk-http-server.mjs' };
const FLOOR_IN = { file: 'raw-http-server.mjs', path: '/mcp' };

/** What is posted to: a file, a path in it, and whether sessions are opened there. */
const SUBJECTS = [
  { era: '2026-07-28', name: OURS, ...OURS_IN },
  { era: '2026-07-28', name: REFERENCE, ...SDK_IN, path: '/mcp' },
  { era: '2026-07-28', name: FLOOR, ...FLOOR_IN },
  { era: '2025-11-25', name: OURS, ...OURS_IN, session: true },
  { era: '2025-11-25', name: REFERENCE, ...SDK_IN, path: '/sessions', session: true },
  { era: '2025-11-25', name: JSON_REFERENCE, ...SDK_IN, path: '/json-sessions', session: true },
  { era: '2025-11-25', name: FLOOR, ...FLOOR_IN },
];

const ECHO = { name: 'echo', arguments: { text: 'The quick brown fox jumps over the lazy dog.', times: 3, loud: false } };
const CALLS = { '2026-07-28': CALL.stateless, '2025-11-25': CALL.session };

const CONNECTIONS = 32;
const CALLS_OF_A_SAMPLE = 500;

/** Processes of each server: how fast one gets is partly luck, of what the engine optimizes first and of where its memory lies. */
const GENERATIONS = 3;

/** Until the engine has settled on what it makes of the code. */
const WARM_UP_CALLS = 6000;

/** What a server makes of many clients at a time: calls per second over connections that are kept. */
export async function http({ rounds }) {
  const samples = [];
  for (let generation = 0; generation < GENERATIONS; generation += 1) samples.push(await throughput(rounds));
  const names = Object.keys(samples[0]);
  return report(Object.fromEntries(names.map((name) => [name, samples.flatMap((values) => values[name])])));
}

/** The server and what calls it have a processor each, where there are two: the server's is the one that has no time left. */
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

/** A sample of a subject that is warm and was found to answer rightly. */
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
    title: `Calls of a tool over HTTP, ${CONNECTIONS} connections: calls a second, and how many ${OURS} makes of each`,
    body: table(
      ['', 'calls/s', 'of medians', 'per sample', '95 %'],
      compared.map(({ own, ofMedians, perRound, interval, ...subject }) => [
        keyOf(subject),
        median(own).toFixed(0),
        ...[ofMedians, perRound].map((ratio) => ratio.toFixed(2)),
        range(interval),
      ]),
    ),
    bars: compared.filter(({ name }) => name === REFERENCE || name === JSON_REFERENCE).map(barOf),
  };
}

/** Parity cannot be read off a median that is as often below it as above: the bar is missed once the whole interval is below. */
function barOf({ era, name, perRound, interval }) {
  const text = `${era}: not below ${name}, by the median of the samples: ${perRound.toFixed(3)} (${range(interval)})`;
  return { text, met: interval[1] >= 1 };
}

function keyOf({ era, name }) {
  return `${era}, ${name}`;
}
