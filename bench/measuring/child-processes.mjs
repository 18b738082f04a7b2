import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;

/** Marks the command line of a git process that waits for requests, which does not count as work. */
const WAITING = '--batch-command';

/** Returns the milliseconds until a process has working children, or no longer has any. */
export async function untilChildren(pid, wanted) {
  const began = performance.now();
  while (childrenOf(pid).length > 0 !== wanted) await pause(POLL_MS);
  return performance.now() - began;
}

/** Lists the child processes of a process that have not ended and do not only wait for requests. */
function childrenOf(pid) {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isRunningChild(name, pid));
}

function isRunningChild(name, pid) {
  try {
    const [state, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
    if (Number(parent) !== pid || state === 'Z') return false;
    return !readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(WAITING);
  } catch {
    // The process has ended since the list was read.
    return false;
  }
}
