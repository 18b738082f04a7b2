import { closestMatch } from 'leven';

/** Maximum length of a name that is compared; a longer name is hardly a typing mistake. */
const MAX_LENGTH = 64;

/**
 * Returns the known name that was probably meant. The edit distance may be at most a third of the length of the unknown
 * name, rounded up. Returns `undefined` if no name is close enough, or if the unknown name is longer than 64 characters.
 */
export function findNearestName(unknown: string, known: Iterable<string>): string | undefined {
  if (unknown.length > MAX_LENGTH) return undefined;
  return closestMatch(unknown, [...known], { maxDistance: Math.ceil(unknown.length / 3) });
}
