import { setTimeout as delay } from 'node:timers/promises';

import { median } from '../measuring/statistics.mjs';

const P99_MS = 10;
const CANCEL_MS = 50;
const CANCELS = 11;

/** Measures how long other calls wait during a search, and how soon a cancelled search ends. */
export async function eventLoopDelayRows({ ours }, { tree, source }) {
  const search = { tool: 'search_content', args: { path: tree, pattern: '\\w+[A-Z]\\w+\\(\\d+\\)$', regex: true } };
  const trivial = ['get_file_info', { path: source }];
  return delayDuring(ours, { name: 'a search in the content of all files', ...search, trivial });
}

/**
 * Measures how long cheap calls wait during calls of a tool, and how long the process works after such a call is cancelled.
 * Returns rows and bars.
 */
export async function delayDuring(client, { name, tool, args, trivial }) {
  const alone = await waitsOf(client, trivial);
  const { waits, calls } = await waitsDuring(client, { tool, args, trivial });
  const p99 = percentile(waits, 0.99);
  const cancels = [];
  while (cancels.length < CANCELS) cancels.push(await cancelling(client, { tool, args }));
  const idle = median(cancels);
  return {
    heading: `Other calls during ${name}, and after its cancellation: milliseconds`,
    header: ['', 'median', 'p99', 'max'],
    rows: [
      [`get_file_info, ${CALLS} times, alone`, ...spreadOf(alone)],
      [`during the work, of which ${calls} calls finished`, ...spreadOf(waits)],
      ['from cancelling to idle', ...spreadOf(cancels)],
    ],
    bars: [
      { text: `during ${name} p99 of other calls is below ${P99_MS} ms: ${p99.toFixed(1)}`, met: p99 < P99_MS },
      { text: `${name}, cancelled, is idle within ${CANCEL_MS} ms: ${idle.toFixed(1)}`, met: idle < CANCEL_MS },
    ],
  };
}

/** Number of consecutive calls during the other work. */
const CALLS = 400;
/**
 * Milliseconds until a search has started in all its threads. Also the idle time after which a cancelled search counts as ended.
 */
const BEGUN_MS = 100;
/** CPU time per millisecond, in milliseconds, below which the process counts as idle. */
const IDLE_MS = 0.3;

/** Measures how long cheap calls wait while a tool is called repeatedly, and how many calls of the tool finish. */
async function waitsDuring(client, { tool, args, trivial }) {
  let isOver = false;
  let calls = 0;
  const busy = (async () => {
    for (; !isOver; calls += 1) await client.call(tool, args);
  })();
  try {
    await delay(BEGUN_MS);
    return { waits: await waitsOf(client, trivial), calls };
  } finally {
    isOver = true;
    await busy;
  }
}

async function waitsOf(client, trivial) {
  const waits = [];
  while (waits.length < CALLS) waits.push((await client.call(...trivial)).ms);
  return waits;
}

function spreadOf(values) {
  return [median(values), percentile(values, 0.99), Math.max(...values)].map((value) => value.toFixed(1));
}

function percentile(values, share) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)];
}

/** Returns the milliseconds from cancelling a call until the process is idle. */
async function cancelling(client, { tool, args }) {
  const { answer, cancel } = client.begin(tool, args);
  answer.catch(() => undefined);
  await delay(BEGUN_MS);
  cancel();
  const cancelled = performance.now();
  let last = cancelled;
  for (let busy = client.threadsMs(); performance.now() - last < BEGUN_MS;) {
    await delay(1);
    const now = client.threadsMs();
    if (now - busy > IDLE_MS) last = performance.now();
    busy = now;
  }
  return last - cancelled;
}
