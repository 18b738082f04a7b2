import { isOptional, readAtoms, type Atom } from './regex-atoms.ts';

/**
 * Minimum average number of characters between two occurrences of a sequence. If a sequence occurs more often, a search that
 * first finds the sequence takes longer than a search with the expression.
 */
const MIN_SPACING = 200;
/**
 * Number of characters that are added to the searched characters, so that a few early occurrences do not make a sequence
 * frequent.
 */
const SAMPLE = 65_536;

/**
 * A sequence of single characters that occurs in every match of a regular expression, such as `\(\d` of `[a-z]+\(\d+\)`. A
 * search for the sequence takes a fraction of the time of a search with the expression, because the sequence begins with a
 * literal character and nothing in it repeats.
 */
export class RequiredSequence {
  readonly #expression: RegExp;
  #found = 0;
  #searched = 0;

  private constructor(expression: RegExp) {
    this.#expression = expression;
  }

  /**
   * @param source a valid expression, without slashes
   * @param flags the flags with which the expression is compiled
   * @returns `undefined` if no sequence is known, or if the expression itself begins with a literal character
   */
  static of(source: string, flags: string): RequiredSequence | undefined {
    const sequence = findSequence(source);
    return sequence === undefined ? undefined : new RequiredSequence(new RegExp(sequence, flags));
  }

  /** Whether the sequence is rare in the texts so far. */
  get isRare(): boolean {
    return this.#found * MIN_SPACING <= this.#searched + SAMPLE;
  }

  /** Returns the position of the sequence at or after `from`, or `undefined`. */
  find(text: string, from: number): number | undefined {
    this.#expression.lastIndex = from;
    const position = this.#expression.exec(text)?.index;
    this.#searched += (position ?? text.length) - from;
    if (position !== undefined) this.#found += 1;
    return position;
  }
}

function findSequence(source: string): string | undefined {
  const atoms = [...readAtoms(source)];
  const [first] = atoms;
  if (atoms.some((atom) => atom.source === '|') || (first?.literal !== undefined && !isOptional(first))) return undefined;
  const sequences = splitIntoSequences(atoms).filter((sequence) => sequence.length > 1);
  const best = sequences.toSorted((one, other) => countLiterals(other) - countLiterals(one) || other.length - one.length)[0];
  return best?.map((atom) => atom.source).join('');
}

/** Returns the sequences of atoms that each match one character. Each sequence begins with a literal character. */
function splitIntoSequences(atoms: readonly Atom[]): readonly (readonly Atom[])[] {
  const sequences: Atom[][] = [];
  let current: Atom[] = [];
  for (const atom of atoms) {
    const isRequired = atom.isCharacter && !isOptional(atom);
    if (isRequired && (current.length > 0 || atom.literal !== undefined)) current.push(atom);
    if (isRequired && atom.quantifier === '') continue;
    sequences.push(current);
    // The last repetition of a character is followed by the next atom, so the character also begins the next sequence.
    current = isRequired && atom.literal !== undefined ? [atom] : [];
  }
  return [...sequences, current];
}

function countLiterals(sequence: readonly Atom[]): number {
  return sequence.filter(({ literal }) => literal !== undefined).length;
}
