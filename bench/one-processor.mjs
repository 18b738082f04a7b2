import { allowedProcessors, keepOn, separateProcessors } from './processors.mjs';

/**
 * Runs the work with this process and all that it starts on one processor, where `taskset` can do that. Two processes that take
 * turns are otherwise measured by how the system wakes one up from another processor, which differs by half from pair to pair.
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
