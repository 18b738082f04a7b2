import { readFileSync, readdirSync } from 'node:fs';

/** Milliseconds per clock tick of the kernel, the same on every system that Node.js supports. */
const TICK_MS = 10;

/**
 * Returns two CPU times in milliseconds: of a process with all its threads (`own`), and of its child processes that have ended
 * (`ofChildren`).
 */
export function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
  const [user, system, childrensUser, childrensSystem] = fields.slice(11);
  return { own: (user + system) * TICK_MS, ofChildren: (childrensUser + childrensSystem) * TICK_MS };
}

/** Returns the CPU time in milliseconds of the current threads of a process. */
export function timeOfThreads(pid) {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).reduce((sum, thread) => sum + timeOfThread(`${threads}/${thread}/schedstat`), 0);
}

function timeOfThread(file) {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // The thread has ended since the list was read.
    return 0;
  }
}
