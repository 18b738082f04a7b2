import { interleaved } from './interleaved.mjs';
import { compare, difference, median } from './statistics.mjs';
import { timeOf } from './native.mjs';
import { processorTime } from './processor-time.mjs';

/**
 * Measures each of several ways to do the same, in turn. A way is a name and how it is done once, in milliseconds, and how much of
 * a processor it has taken up to now.
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

/** A tool of a server as a way to do something. `isWhole` judges its answer, which is no measurement otherwise. */
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

/** A program as a way to do something; that it has to be started is part of it. */
export function byProgram(command, options) {
  return { once: () => timeOf(command, options), busyMs: () => processorTime(process.pid).ofChildren };
}

/** How many times as long as another one way takes, by the median of the rounds. */
export function ratioOf(one, other) {
  return compare(one.times, other.times).perRound;
}

/** How many milliseconds longer than another one way takes, by the median of the rounds. */
export function overOf(one, other) {
  return difference(one.times, other.times);
}
