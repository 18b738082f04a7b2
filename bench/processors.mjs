import { execFileSync } from 'node:child_process';

/** The processors that this process may use, as `0-1`; `undefined` where `taskset` cannot tell. */
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

/** Each of those by itself, `0-2,5` as `0`, `1`, `2` and `5`; none where that cannot be found out. */
export function separateProcessors() {
  const ranges = allowedProcessors()?.split(',') ?? [];
  return ranges.flatMap((each) => {
    const [first, last = first] = each.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => String(first + offset));
  });
}

/** Has a process, with all that it starts, run on those processors only; without any it runs as it did. */
export function keepOn(processors, pid = process.pid) {
  if (processors !== undefined) execFileSync('taskset', ['-acp', processors, String(pid)], { stdio: 'ignore' });
}
