import { lstatSync, statSync, type BigIntStats } from 'node:fs';

// By the thread pool, the dozens of these calls before each command would cost ten times what they take.

/** Changes with the identity, size or time of any of the files, when one appears or goes, and with what a link among them leads to. */
export function stampOf(files: readonly string[]): string {
  return files.map(stampOfOne).join('');
}

/** Changes when one of the directories is another one, not with what is in it; a file counts whole. */
export function identityOf(places: readonly string[]): string {
  return places
    .map((place) => {
      const facts = factsOf(place);
      return facts?.isDirectory() === true ? `${facts.dev}:${facts.ino};` : stampOfOne(place);
    })
    .join('');
}

function stampOfOne(file: string): string {
  const facts = factsOf(file);
  return facts?.isSymbolicLink() === true ? shown(facts) + shown(factsOf(file, statSync)) : shown(facts);
}

function factsOf(file: string, look: typeof lstatSync = lstatSync): BigIntStats | undefined {
  try {
    return look(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A loop of links, or a name that is longer than one can be, is as good as nothing.
    return undefined;
  }
}

function shown(facts: BigIntStats | undefined): string {
  return facts === undefined ? '-;' : `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs};`;
}
