import { setTimeout as delay } from 'node:timers/promises';

import { startForked } from '../clients/forked.mjs';
import { table } from '../measuring/table.mjs';

/** Seconds before the baseline, in which lazily loaded modules are loaded and permanent caches are filled. */
const WARM_UP_SECONDS = 3;

/** Milliseconds within which abandoned sessions are removed and unanswered questions time out. Also the limit for closing. */
const SETTLING_MS = 30_000;
const LOOK_EVERY_MS = 100;

const SERVER_FLAGS = ['--expose-gc', '--disable-warning=ExperimentalWarning'];

/**
 * Maximum growth of the heap in bytes, because of late optimizations and caches. A leak of one object per act would be
 * many times larger.
 */
const MAX_GROWTH = 4 * 1024 * 1024;
const MIB = 1024 * 1024;

/**
 * Runs many clients that do everything that clients may do, correctly or not, and then counts the objects that the
 * server still keeps.
 */
export async function soak({ minutes }) {
  const server = startForked(new URL('soak-server.mjs', import.meta.url), [], SERVER_FLAGS);
  try {
    const { url } = await server.next();
    await withClients(url, { seconds: WARM_UP_SECONDS, seed: 1 });
    const before = await settled(server);
    const { done, problems } = await withClients(url, { seconds: minutes * 60, seed: 1000 });
    const after = await settled(server);
    server.send('close');
    const code = await Promise.race([server.ended, delay(SETTLING_MS, 'it does not end', { ref: false })]);
    return report({ before, after, done, problems, code });
  } finally {
    await server.kill();
  }
}

async function withClients(url, { seconds, seed }) {
  const clients = startForked(new URL('soak-clients-process.mjs', import.meta.url), [url, seconds, seed].map(String));
  try {
    return await clients.next();
  } finally {
    await clients.kill();
  }
}

/** Resolves to the objects of the server after it released everything for clients, or after a time limit. */
async function settled(server) {
  const deadline = performance.now() + SETTLING_MS;
  for (;;) {
    const forClients = await asked(server, 'forClients');
    const isQuiet = Object.values(forClients).every((each) => each === 0);
    if (!isQuiet && performance.now() < deadline) {
      await delay(LOOK_EVERY_MS);
      continue;
    }
    const { holds, ...figures } = await asked(server, 'inAll');
    return { holds: { ...forClients, ...holds }, ...figures };
  }
}

async function asked(server, task) {
  server.send(task);
  return server.next();
}

/** Returns the names of the counts that differ. */
function differences(before, after) {
  return Object.keys({ ...before, ...after }).filter((name) => (before[name] ?? 0) !== (after[name] ?? 0));
}

function report({ before, after, done, problems, code }) {
  const left = differences(before.holds, after.holds);
  const growth = after.heap - before.heap;
  const acts = Object.values(done).reduce((total, each) => total + each, 0);
  const sizes = ['heap', 'rss'].map((name) => [`${name}, MiB`, ...[before, after].map((each) => (each[name] / MIB).toFixed(1))]);
  const rows = Object.keys({ ...before.holds, ...after.holds }).map((name) => [
    name,
    ...[before, after].map(({ holds }) => String(holds[name] ?? 0)),
  ]);
  return {
    title: `Soak over HTTP: what the server holds before and after ${acts} acts of 32 clients`,
    body: [
      table(['', 'before', 'after'], [...rows, ...sizes]),
      table(
        ['', 'times'],
        Object.entries(done)
          .toSorted(([one], [other]) => one.localeCompare(other))
          .map(([act, times]) => [act, String(times)]),
      ),
      ...Object.entries(problems).map(([problem, times]) => `${times} × ${problem}`),
    ].join('\n\n'),
    bars: [
      { text: `every answer was right: ${sum(Object.values(problems))} were not`, met: Object.keys(problems).length === 0 },
      { text: `nothing is left behind: ${left.join(', ') || 'nothing'}`, met: left.length === 0 },
      {
        text: `the heap grew by ${(growth / MIB).toFixed(1)} MiB, of ${MAX_GROWTH / MIB} that it may`,
        met: growth <= MAX_GROWTH,
      },
      { text: `Node.js warned of nothing: ${after.warnings.join(', ') || 'nothing'}`, met: after.warnings.length === 0 },
      { text: `the process ends by itself once the service is closed: ${code}`, met: code === 0 },
    ],
  };
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
