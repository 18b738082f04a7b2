import { lstatSync, statSync, type BigIntStats } from 'node:fs';

// `lstat` and `stat` are synchronous: the dozens of calls before each command would take ten times as long through the thread pool.

/**
 * Returns a stamp of files. It changes with the identity, size or times of a file or of the target of a link, and when a file is
 * created or removed.
 */
export function stampFiles(files: readonly string[]): string {
  return files.map(stampFile).join('');
}

/**
 * Returns a stamp of directories. It changes when a directory is replaced, but not when its entries change. For a file, see
 * {@link stampFiles}.
 */
export function identifyDirectories(places: readonly string[]): string {
  return places
    .map((place) => {
      const facts = readFacts(place);
      return facts?.isDirectory() === true ? `${facts.dev}:${facts.ino};` : stampFile(place);
    })
    .join('');
}

function stampFile(file: string): string {
  const facts = readFacts(file);
  return facts?.isSymbolicLink() === true ? formatFacts(facts) + formatFacts(readFacts(file, statSync)) : formatFacts(facts);
}

function readFacts(file: string, look: typeof lstatSync = lstatSync): BigIntStats | undefined {
  try {
    return look(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A loop of links or a name that is too long counts as a missing file.
    return undefined;
  }
}

function formatFacts(facts: BigIntStats | undefined): string {
  return facts === undefined ? '-;' : `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs};`;
}
