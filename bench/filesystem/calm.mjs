import { setTimeout as delay } from 'node:timers/promises';

import { median } from '../statistics.mjs';

const P99_MS = 10;
const CANCEL_MS = 50;
const CANCELS = 11;

/** What a search leaves of the server for other calls, and how soon it ends when nobody waits for it any more. */
export async function calmRows({ ours }, { tree, source }) {
  const search = { tool: 'search_content', args: { path: tree, pattern: '\\w+[A-Z]\\w+\\(\\d+\\)$', regex: true } };
  const trivial = ['get_file_info', { path: source }];
  return calmWhile(ours, { name: 'a search in the content of all files', ...search, trivial });
}

/** Rows and bars of what goes on besides, and after a call is cancelled. */
export async function calmWhile(client, { name, tool, args, trivial }) {
  const alone = await waitsOf(client, trivial);
  const { waits, calls } = await patience(client, { tool, args, trivial });
  const p99 = percentile(waits, 0.99);
  const cancels = [];
  while (cancels.length < CANCELS) cancels.push(await cancelling(client, { tool, args }));
  const idle = median(cancels);
  return {
    heading: `Other calls during ${name}, and after it is cancelled: milliseconds`,
    header: ['', 'median', 'of 99 in 100', 'worst'],
    rows: [
      [`get_file_info, ${CALLS} times, alone`, ...spreadOf(alone)],
      [`during ${calls} such calls`, ...spreadOf(waits)],
      ['from cancelling to idle', ...spreadOf(cancels)],
    ],
    bars: [
      { text: `during ${name} 99 of 100 calls take less than ${P99_MS} ms: ${p99.toFixed(1)}`, met: p99 < P99_MS },
      { text: `${name}, cancelled, is idle within ${CANCEL_MS} ms: ${idle.toFixed(1)}`, met: idle < CANCEL_MS },
    ],
  };
}

/** Calls in a row while other work goes on. */
const CALLS = 400;
/** Until a search has begun in all of its threads. */
const BEGUN_MS = 100;
/** Less than this of a processor within a millisecond is no work. */
const IDLE_MS = 0.3;

/** What calls that need nearly nothing wait while a tool is called again and again, and how often that was answered. */
async function patience(client, { tool, args, trivial }) {
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

/**
 * Milliseconds from cancelling a call to the moment after which the process uses no processor any more.
 */
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
