import { execFileSync } from 'node:child_process';

/**
 * Runs the work with this process and all that it starts on one processor, where `taskset` can do that. Two processes that take
 * turns are otherwise measured by how the system wakes one up from another processor, which differs by half from pair to pair.
 */
export async function onOneProcessor(work) {
  const allowed = affinity();
  if (allowed === undefined) return work();
  const [first] = allowed.split(/[,-]/);
  setAffinity(first);
  try {
    return await work();
  } finally {
    setAffinity(allowed);
  }
}

/** The processors that this process may use, as `0-1`; `undefined` where that cannot be found out. */
function affinity() {
  try {
    return execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' })
      .split(': ')
      .at(-1)
      .trim();
  } catch {
    return undefined;
  }
}

function setAffinity(processors) {
  execFileSync('taskset', ['-acp', processors, String(process.pid)], { stdio: 'ignore' });
}
