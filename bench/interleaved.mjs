/**
 * Measures each subject once a round, in turn, so that what disturbs the machine disturbs all of them: `A B C A B C …`.
 * One round before the counted ones warms the file cache. Resolves to the counted values of each subject, round by round.
 */
export async function interleaved(subjects, rounds) {
  const values = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of Object.entries(subjects)) {
      const value = await measure();
      if (round > 0) values[name].push(value);
    }
  }
  return values;
}
