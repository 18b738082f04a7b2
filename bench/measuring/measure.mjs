import { interleaved } from './interleaved.mjs';
import { compare, difference, median } from './statistics.mjs';
import { timeOf } from './native.mjs';
import { processorTime } from './processor-time.mjs';

/**
 * Measures several ways to do the same work, in turn. A way has a name, a function `once` that does the work and
 * returns its milliseconds, and a function `busyMs` that returns the total CPU time so far.
 */
export async function measure(ways, rounds) {
  const busy = Object.fromEntries(Object.keys(ways).map((name) => [name, 0]));
  const subjects = Object.entries(ways).map(([name, { once, busyMs }]) => [
    name,
    async () => {
      const before = busyMs();
      const ms = await once();
      busy[name] += busyMs() - before;
      return ms;
    },
  ]);
  const values = await interleaved(Object.fromEntries(subjects), rounds);
  return Object.fromEntries(
    Object.entries(values).map(([name, times]) => [name, { times, ms: median(times), busyMs: busy[name] / (rounds + 1) }]),
  );
}

/** Returns a tool call as a way to do the work. Throws unless `isWhole` accepts the answer. */
export function byTool(client, tool, args, isWhole = () => true) {
  return {
    once: async () => {
      const { ms, result } = await client.call(tool, typeof args === 'function' ? args() : args);
      if (!isWhole(result)) throw new Error(`${tool} answered otherwise: ${JSON.stringify(result).slice(0, 500)}`);
      return ms;
    },
    busyMs: () => client.busyMs(),
  };
}

/** Returns a program as a way to do the work; the time includes its start. */
export function byProgram(command, options) {
  return { once: () => timeOf(command, options), busyMs: () => processorTime(process.pid).ofChildren };
}

/** Returns the ratio of the times of two ways: the median of the ratios of the rounds. */
export function ratioOf(one, other) {
  return compare(one.times, other.times).perRound;
}

/** Returns the interval that contains the median ratio of two ways in 95 % of cases. */
export function spreadOf(one, other) {
  return compare(one.times, other.times).interval;
}

/** Returns how many milliseconds longer one way takes than another: the median of the differences of the rounds. */
export function overOf(one, other) {
  return difference(one.times, other.times);
}
