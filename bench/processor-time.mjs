import { readFileSync, readdirSync } from 'node:fs';

/** Of the kernel's clock, on every system that Node.js runs on. */
const TICK_MS = 10;

/** Milliseconds for which a process and all its threads have had a processor, and those of its children that have ended. */
export function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
  const [user, system, childrensUser, childrensSystem] = fields.slice(11);
  return { own: (user + system) * TICK_MS, ofChildren: (childrensUser + childrensSystem) * TICK_MS };
}

/** Milliseconds for which the threads that a process has now have had a processor. */
export function timeOfThreads(pid) {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).reduce((sum, thread) => sum + timeOfThread(`${threads}/${thread}/schedstat`), 0);
}

function timeOfThread(file) {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
