import { allowedProcessors, keepOn, separateProcessors } from './processors.mjs';

/**
 * Runs the work with this process and its child processes on one processor, if `taskset` is available. Otherwise, the
 * time of two alternating processes depends on how the system wakes up a process on another processor, which varies by
 * half between pairs.
 */
export async function onOneProcessor(work) {
  const allowed = allowedProcessors();
  keepOn(separateProcessors()[0]);
  try {
    return await work();
  } finally {
    keepOn(allowed);
  }
}
