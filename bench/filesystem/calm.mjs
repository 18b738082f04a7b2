import { setTimeout as delay } from 'node:timers/promises';

import { median } from '../statistics.mjs';

/** Calls in a row while other work goes on. */
const CALLS = 400;
/** Until a search has begun in all of its threads. */
const BEGUN_MS = 100;

/**
 * Of calls that need nearly nothing, one after the other while other calls go on: the milliseconds that 99 of 100 do not exceed.
 * `tool` and `args` are called again and again for as long.
 */
export async function patience(client, { tool, args, trivial }) {
  let isOver = false;
  let calls = 0;
  const busy = (async () => {
    for (; !isOver; calls += 1) await client.call(tool, args);
  })();
  const waits = [];
  try {
    await delay(BEGUN_MS);
    while (waits.length < CALLS) waits.push((await client.call(...trivial)).ms);
  } finally {
    isOver = true;
    await busy;
  }
  waits.sort((one, other) => one - other);
  return { p99: waits[Math.floor(waits.length * 0.99)], median: median(waits), most: waits.at(-1), calls };
}

/**
 * Milliseconds from cancelling a call to the moment after which the process uses no processor any more.
 */
export async function cancelling(client, { tool, args }) {
  const { answer, cancel } = client.begin(tool, args);
  answer.catch(() => undefined);
  await delay(BEGUN_MS);
  cancel();
  const cancelled = performance.now();
  let last = cancelled;
  for (let busy = client.threadsMs; performance.now() - last < BEGUN_MS;) {
    await delay(1);
    const now = client.threadsMs;
    if (now - busy > IDLE_MS) last = performance.now();
    busy = now;
  }
  return last - cancelled;
}

/** Less than this of a processor within a millisecond is no work. */
const IDLE_MS = 0.3;
