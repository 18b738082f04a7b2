/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The ratio of two series of the same rounds: of their medians, and the median of what it was in each round. */
export function compare(values, reference) {
  return {
    ofMedians: median(values) / median(reference),
    perRound: median(values.map((value, round) => value / reference[round])),
  };
}
