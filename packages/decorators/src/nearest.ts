import { closestMatch } from 'leven';

/** Names are compared letter by letter with every known one; what is longer was hardly mistyped. */
const LONGEST = 64;

/**
 * The known name that an unknown one was probably meant to be: a third of its letters may differ. `undefined` if none is near,
 * or if it is longer than 64 characters.
 */
export function nearest(unknown: string, known: Iterable<string>): string | undefined {
  if (unknown.length > LONGEST) return undefined;
  return closestMatch(unknown, [...known], { maxDistance: Math.ceil(unknown.length / 3) });
}
