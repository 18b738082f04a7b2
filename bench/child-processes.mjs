import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;

/** Milliseconds until a process has children that run, or has none any more. */
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
    return Number(parent) === pid && state !== 'Z';
  } catch {
    // It ended meanwhile.
    return false;
  }
}
