/** Returns the middle value; for an even number of values, the mean of the two middle values. */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Returns the ratio of two series of the same rounds: the ratio of the medians, the median of the ratios per round, and
 * the 95 % confidence interval of this median.
 */
export function compare(values, reference) {
  const ratios = values.map((value, round) => value / reference[round]);
  return { ofMedians: median(values) / median(reference), perRound: median(ratios), interval: interval(ratios) };
}

/** Returns the median of the differences between two series of the same rounds. */
export function difference(values, reference) {
  return median(values.map((value, round) => value - reference[round]));
}

/**
 * Returns two of the values, which enclose the true median in about 95 % of cases, whatever the distribution. Fewer than six
 * values enclose the median less often.
 */
function interval(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const below = Math.max(0, Math.floor(sorted.length / 2 - 0.98 * Math.sqrt(sorted.length)));
  return [sorted[below], sorted.at(-1 - below)];
}

/** Formats the ends of an interval of ratios. */
export function range([low, high]) {
  return `${low.toFixed(2)}–${high.toFixed(2)}`;
}
