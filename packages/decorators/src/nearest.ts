import { closestMatch } from 'leven';

/** The known name that an unknown one was probably meant to be: a third of its letters may differ. `undefined` if none is near. */
export function nearest(unknown: string, known: Iterable<string>): string | undefined {
  return closestMatch(unknown, [...known], { maxDistance: Math.ceil(unknown.length / 3) });
}
