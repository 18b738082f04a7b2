import { execFileSync } from 'node:child_process';

/** Returns the processors that this process may use, such as `0-1`; `undefined` if `taskset` is not available. */
export function allowedProcessors() {
  try {
    return execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' })
      .split(': ')
      .at(-1)
      .trim();
  } catch {
    return undefined;
  }
}

/**
 * Returns each of these processors separately: `0-2,5` results in `0`, `1`, `2` and `5`. The list is empty if the
 * processors are unknown.
 */
export function separateProcessors() {
  const ranges = allowedProcessors()?.split(',') ?? [];
  return ranges.flatMap((each) => {
    const [first, last = first] = each.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => String(first + offset));
  });
}

/** Restricts a process and its child processes to the given processors. Without processors, nothing changes. */
export function keepOn(processors, pid = process.pid) {
  if (processors !== undefined) execFileSync('taskset', ['-acp', processors, String(pid)], { stdio: 'ignore' });
}
