import { measure, overOf, ratioOf, spreadOf } from './measure.mjs';
import { range } from './statistics.mjs';

/**
 * Measures work that can be done in several ways, of which `own` has bars: at most `times` the time of another way, or at most
 * `over` milliseconds more. A round of short work consists of several samples, because other processes disturb short work more.
 */
export async function workRows({ own, heading }, works, rounds) {
  const done = [];
  for (const { ways, samples = 1, ...work } of works) done.push({ ...work, ways: await measure(ways, rounds * samples) });
  return {
    heading,
    header: ['', 'by', 'ms', 'CPU ms', `ratio of ${own}`, '95 %', 'difference, ms'],
    rows: done.flatMap((work) => rowsOf(work, own)),
    measurements: done.flatMap((work) => measurementsOf(work, own)),
    bars: done.flatMap((work) => (work.bars ?? []).map((bar) => barOf(work, bar, own))),
  };
}

function rowsOf({ name, ways }, own) {
  return Object.entries(ways).map(([by, way], index) => [
    index === 0 ? name : '',
    by,
    way.ms.toFixed(1),
    way.busyMs.toFixed(0),
    ...(by === own ? ['', '', ''] : comparisonOf(ways[own], way)),
  ]);
}

function comparisonOf(own, way) {
  return [ratioOf(own, way).toFixed(2), range(spreadOf(own, way)), overOf(own, way).toFixed(1)];
}

/** Returns the numbers of `rowsOf` for the JSON file. `ratio` and `spread` compare `own` with the way. */
function measurementsOf({ name, ways }, own) {
  return Object.entries(ways).map(([by, way]) => ({
    work: name,
    by,
    ms: rounded(way.ms),
    cpuMs: rounded(way.busyMs),
    ...(by !== own && { ratio: rounded(ratioOf(ways[own], way)), spread: spreadOf(ways[own], way).map(rounded) }),
  }));
}

function rounded(value) {
  return Number(value.toPrecision(4));
}

function barOf({ name, ways }, { of, times, over }, own) {
  if (ways[of] === undefined) return { text: `${name}: ${of} is not installed`, met: false };
  if (times !== undefined) return held(ratioOf(ways[own], ways[of]), times, `${name}: at most ${times} of ${of}`);
  return held(overOf(ways[own], ways[of]), over, `${name}: at most ${over} ms more than ${of}`);
}

function held(value, most, text) {
  return { text: `${text}: ${value.toFixed(2)}`, met: value <= most };
}
