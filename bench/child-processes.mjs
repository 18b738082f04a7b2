import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;

/** Of a process that waits for questions and does nothing meanwhile. */
const WAITING = '--batch-command';

/** Milliseconds until a process has children that work, or has none any more. */
export async function untilChildren(pid, wanted) {
  const began = performance.now();
  while (childrenOf(pid).length > 0 !== wanted) await pause(POLL_MS);
  return performance.now() - began;
}

/** The processes that a process has started and that have not ended. */
function childrenOf(pid) {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isRunningChild(name, pid));
}

function isRunningChild(name, pid) {
  try {
    const [state, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
    if (Number(parent) !== pid || state === 'Z') return false;
    return !readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(WAITING);
  } catch {
    // It ended meanwhile.
    return false;
  }
}
