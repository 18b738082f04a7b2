import { readAtoms } from './regex-atoms.ts';

/** Minimum length of a text, because shorter texts occur in nearly every file. */
const MIN_LENGTH = 2;
/** Maximum number of texts; a check for more texts takes as long as a search with the expression. */
const MAX_TEXTS = 8;

/**
 * Returns texts of which at least one occurs in every match of a regular expression: the longest text of each alternative. A
 * file that contains no such text need not be matched.
 *
 * @param source a valid, case-sensitive expression, without slashes
 * @returns `undefined` if an alternative has no known text of at least {@link MIN_LENGTH} characters, or if more than {@link
 *   MAX_TEXTS} alternatives exist
 */
export function requiredTexts(source: string): readonly string[] | undefined {
  const longest = findAlternatives(source).map((runs) =>
    runs.reduce((one, other) => (other.length > one.length ? other : one), ''),
  );
  return longest.length <= MAX_TEXTS && longest.every((text) => text.length >= MIN_LENGTH) ? longest : undefined;
}

/** Returns the literal texts of each alternative. */
function findAlternatives(source: string): readonly (readonly string[])[] {
  const alternatives: string[][] = [];
  let runs: string[] = [];
  let run = '';
  for (const { source: part, literal, quantifier } of readAtoms(source)) {
    // A character with `+` ends a text. A character with another quantifier is not part of a text.
    if (literal !== undefined && /^(?:\+|$)/.test(quantifier)) run += literal;
    if (literal === undefined || quantifier !== '') {
      runs.push(run);
      run = '';
    }
    if (part === '|') alternatives.push(runs.splice(0));
  }
  runs = [...runs, run];
  return [...alternatives, runs];
}
