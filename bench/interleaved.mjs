/**
 * Measures each subject once a round, in turn and back again, so that what disturbs the machine disturbs all of them and none
 * always comes first: `A B C, C B A, …`. One round before the counted ones warms the file cache. Resolves to the counted values of
 * each subject, round by round.
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
