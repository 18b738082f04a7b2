import { monitorEventLoopDelay } from 'node:perf_hooks';
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { fileResource, WatchHub } from '@org/mcp-watch';

import { systemWatches } from '../measuring/system-watches.mjs';
import { fillQueue, subscribedFiles, writeAll } from './watched-tree.mjs';

const SWEEPS = 10;

/** Milliseconds that are sufficient for a sweep and the window before it. */
const SWEEP_MS = 500;

/** Milliseconds without an announcement after which no further one arrives: a sweep follows a burst within 1.1 s. */
const QUIET_MS = 2500;

/**
 * `node watch-process.mjs ROOT`: runs a hub in a separate process. Each message names a task and is answered with its
 * measurements.
 */
const [root] = process.argv.slice(2);
// The benchmark triggers sweeps itself, instead of every 30 s.
mock.timers.enable({ apis: ['setInterval'] });
const hub = new WatchHub();
const announced = new Map();
let last = 0;

const TASKS = { tree, files, sweeps, burst, overflow, heard, close };
process.on('message', (name) => void TASKS[name]().then((measured) => process.send(measured)));

async function tree() {
  const subject = {
    key: 'tree',
    targets: [{ kind: 'tree', path: root, ignores: () => false }],
    fingerprint: () => String(performance.now()),
  };
  const began = performance.now();
  await hub.watch(subject, () => undefined);
  return { ready: performance.now() - began, watches: systemWatches('self'), memory: memory() };
}

async function files() {
  const began = performance.now();
  await Promise.all(subscribedFiles(root).map((file) => hub.watch(fileResource(file), () => announce(file))));
  return { ready: performance.now() - began, watches: systemWatches('self'), memory: memory() };
}

/** Measures the CPU milliseconds of each sweep, and the longest time for which the event loop was blocked. */
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

/** Starts recording announcements; another process then writes the files. */
async function burst() {
  announced.clear();
  return true;
}

/**
 * Fills the event queue of the system until it overflows, and then writes synchronously, so that no event reports these
 * writes.
 */
async function overflow() {
  announced.clear();
  fillQueue(root);
  writeAll(root);
  return true;
}

/**
 * Waits until no announcement arrives any more. Returns the times of all announcements since `burst` or `overflow`, in
 * milliseconds, for each file.
 */
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

/** Returns the resident memory of this process in megabytes. */
function memory() {
  return process.memoryUsage.rss() / 1e6;
}
