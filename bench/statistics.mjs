/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The ratio of two series of the same rounds: of their medians, the median of what it was in each round, and the interval in which
 * that median is with a probability of 95 %.
 */
export function compare(values, reference) {
  const ratios = values.map((value, round) => value / reference[round]);
  return { ofMedians: median(values) / median(reference), perRound: median(ratios), interval: interval(ratios) };
}

/** By how much one series is above another of the same rounds: the median of the differences. */
export function difference(values, reference) {
  return median(values.map((value, round) => value - reference[round]));
}

/** Of so many values ordered by size, the two that have the true median between them in 95 % of cases, whatever their distribution. */
function interval(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const below = Math.max(0, Math.floor(sorted.length / 2 - 0.98 * Math.sqrt(sorted.length)));
  return [sorted[below], sorted.at(-1 - below)];
}

/** The ends of an interval of ratios, to be printed. */
export function range([low, high]) {
  return `${low.toFixed(2)}–${high.toFixed(2)}`;
}
