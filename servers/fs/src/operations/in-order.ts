/** Works on several things at once, at most `ahead` of them, and yields what became of each in the order they were given. */
export async function* inOrder<Given, Done>(
  all: readonly Given[],
  ahead: number,
  work: (given: Given) => Promise<Done>,
): AsyncGenerator<readonly [given: Given, done: Done]> {
  const begun: Promise<Done>[] = [];
  try {
    for (const [index, given] of all.entries()) {
      for (const next of all.slice(begun.length, index + ahead)) begun.push(handled(work(next)));
      const done = begun[index];
      if (done !== undefined) yield [given, await done];
    }
  } finally {
    await Promise.allSettled(begun);
  }
}

/** Of several that fail the first is thrown; the others are not to end the process. */
function handled<Done>(work: Promise<Done>): Promise<Done> {
  work.catch(() => undefined);
  return work;
}
