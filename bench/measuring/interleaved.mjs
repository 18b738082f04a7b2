/**
 * Measures each subject once per round, in alternating order (`A B C, C B A, …`), so that disturbances of the machine
 * affect all subjects and no subject always comes first. An uncounted round first warms the file cache. Resolves to the
 * counted values of each subject, round by round.
 */
export async function interleaved(subjects, rounds) {
  const values = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  const there = Object.entries(subjects);
  const back = there.toReversed();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of round % 2 === 0 ? there : back) {
      const value = await measure();
      if (round > 0) values[name].push(value);
    }
  }
  return values;
}
