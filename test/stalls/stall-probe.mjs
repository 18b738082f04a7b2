// Loaded into a server by `--import`: records when the event loop was blocked because the main thread was busy.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_MS = 10;
const NOTED_MS = 50;

const report = process.env.MCP_TEST_STALL_REPORT;

if (isMainThread && report !== undefined) {
  let last = performance.now();
  let busy = busyMilliseconds();
  const look = () => {
    const now = performance.now();
    const busyNow = busyMilliseconds();
    // A delay for which this process used no CPU time is caused by other processes, so it does not count as a stall.
    const stalled = Math.min(now - last - INTERVAL_MS, busyNow - busy);
    if (stalled > NOTED_MS) appendFileSync(report, `${JSON.stringify({ milliseconds: stalled, end: Date.now() })}\n`);
    last = now;
    busy = busyNow;
  };
  setInterval(look, INTERVAL_MS).unref();
}

/** Returns the CPU time in milliseconds: of the main thread on Linux, and of the whole process on other systems. */
function busyMilliseconds() {
  try {
    const [nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
