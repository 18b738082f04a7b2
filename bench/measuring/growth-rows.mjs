import { measure } from './measure.mjs';

/** Maximum factor by which the time of a call may grow if its work grows a hundredfold. */
const MOST = 100;

/**
 * Measures how the time of a call grows with its work: each work has a name, what is counted, and a way for each of three sizes, of which
 * the last is a hundred times the first. A call has costs of its own, so the time should grow less than the work.
 */
export async function growthRows(works, rounds) {
  const rows = [];
  const bars = [];
  const measurements = [];
  for (const { name, unit, ways } of works) {
    const measured = await measure(ways, rounds);
    const sizes = Object.keys(ways);
    const [smallest] = sizes;
    const least = measured[smallest].ms;
    for (const size of sizes) {
      const { ms } = measured[size];
      rows.push([size === smallest ? name : '', `${size} ${unit}`, ms.toFixed(1), (ms / least).toFixed(1)]);
      measurements.push({ work: name, size: Number(size), unit, ms: Number(ms.toPrecision(4)) });
    }
    const growth = measured[sizes.at(-1)].ms / least;
    bars.push({
      text: `${name}: ${MOST} times the work takes at most ${MOST} times as long: ${growth.toFixed(1)}`,
      met: growth <= MOST,
    });
  }
  return { heading: 'Growth: milliseconds of a call', header: ['', 'size', 'ms', 'times the first'], rows, measurements, bars };
}
