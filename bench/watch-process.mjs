import { monitorEventLoopDelay } from 'node:perf_hooks';
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { fileSubject, WatchHub } from '@org/mcp-watch';

import { systemWatches } from './system-watches.mjs';
import { fillQueue, subscribedFiles, writeAll } from './watched-tree.mjs';

const SWEEPS = 10;

/** Enough for a look at everything, and the window before it. */
const SWEEP_MS = 500;

/** After so long without an announcement none comes any more: a burst is followed by a look at everything within 1.1 s. */
const QUIET_MS = 2500;

/** `node watch-process.mjs ROOT`: a hub in a process of its own. Answers each message, the name of a task, with what was measured. */
const [root] = process.argv.slice(2);
// Everything is looked at when the bench says so, and not every 30 s.
mock.timers.enable({ apis: ['setInterval'] });
const hub = new WatchHub();
const announced = new Map();
let last = 0;

const TASKS = { tree, files, sweeps, burst, overflow, heard, close };
process.on('message', (name) => void TASKS[name]().then((measured) => process.send(measured)));

async function tree() {
  const subject = {
    key: 'tree',
    places: [{ kind: 'tree', path: root, ignores: () => false }],
    fingerprint: () => String(performance.now()),
  };
  const began = performance.now();
  await hub.watch(subject, () => undefined);
  return { ready: performance.now() - began, watches: systemWatches('self'), memory: memory() };
}

async function files() {
  const began = performance.now();
  await Promise.all(subscribedFiles(root).map((file) => hub.watch(fileSubject(file), () => announce(file))));
  return { ready: performance.now() - began, watches: systemWatches('self'), memory: memory() };
}

/** What looking at everything costs, each time: milliseconds of the processor, and the longest that nothing else could run. */
async function sweeps() {
  const measured = [];
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const before = process.cpuUsage();
    delay.enable();
    mock.timers.tick(30_000);
    await pause(SWEEP_MS);
    delay.disable();
    const { user, system } = process.cpuUsage(before);
    measured.push({ processor: (user + system) / 1000, held: delay.max / 1e6 });
  }
  return measured;
}

/** Another process is about to write. */
async function burst() {
  announced.clear();
  return true;
}

/** Writes without letting anything else run, after so much else that the system's queue of events has overflowed: nothing is heard of it. */
async function overflow() {
  announced.clear();
  fillQueue(root);
  writeAll(root);
  return true;
}

/** Every announcement since the burst, as the milliseconds at which it came. */
async function heard() {
  for (last = performance.now(); performance.now() - last < QUIET_MS;) await pause(100);
  return [...announced];
}

async function close() {
  await hub[Symbol.asyncDispose]();
  return { watches: systemWatches('self'), size: hub.size };
}

function announce(file) {
  last = performance.now();
  const times = announced.get(file);
  if (times === undefined) announced.set(file, [last]);
  else times.push(last);
}

/** Megabytes. */
function memory() {
  return process.memoryUsage.rss() / 1e6;
}
