/** A part of a regular expression that can be quantified. */
export interface Atom {
  /** Text of the atom in the expression, without its quantifier. */
  readonly source: string;
  /** The character, if the atom matches only this one; otherwise `undefined`. */
  readonly literal: string | undefined;
  /** Whether the atom without its quantifier matches exactly one character. */
  readonly isCharacter: boolean;
  /** The quantifier, or an empty text. */
  readonly quantifier: string;
}

const QUANTIFIER = /^(?:[*+?]|\{\d[^}]*\})\??/;
/** Matches the characters that stand for themselves after a backslash. */
const PLAIN_ESCAPE = /[$()*+./?[\\\]^{|}\-"'#,:;<=>@_`~!%& ]/;
/** Matches the letters with which, after a backslash, an escape for one character begins. */
const CHARACTER_ESCAPE = /[dDwWsSpPuxtnrvf]/;

/** Reads the atoms of a valid regular expression without slashes. A group is one atom, and so is a `|` between alternatives. */
export function* readAtoms(source: string): Generator<Atom> {
  for (let position = 0; position < source.length;) {
    const atom = readAtom(source, position);
    const end = position + atom.source.length;
    const quantifier = QUANTIFIER.exec(source.slice(end, end + 20))?.[0] ?? '';
    yield { ...atom, quantifier };
    position = end + quantifier.length;
  }
}

/** Returns whether an atom may be absent from a match. */
export function isOptional({ quantifier }: Atom): boolean {
  return /^(?:[*?]|\{0)/.test(quantifier);
}

function readAtom(source: string, position: number): Omit<Atom, 'quantifier'> {
  const character = source[position] ?? '';
  if (character === '\\') return readEscape(source, position);
  if (character === '[' || character === '(') {
    const whole = source.slice(position, findClosing(source, position));
    return { source: whole, literal: undefined, isCharacter: character === '[' };
  }
  const [whole = character] = source.slice(position, position + 2);
  const isLiteral = !'.^$|)*+?{}]'.includes(whole);
  return { source: whole, literal: isLiteral ? whole : undefined, isCharacter: isLiteral || whole === '.' };
}

function readEscape(source: string, position: number): Omit<Atom, 'quantifier'> {
  const escaped = source[position + 1] ?? '';
  const whole = PLAIN_ESCAPE.test(escaped) ? `\\${escaped}` : matchEscape(source, position);
  const literal = PLAIN_ESCAPE.test(escaped) ? escaped : undefined;
  return { source: whole, literal, isCharacter: literal !== undefined || CHARACTER_ESCAPE.test(escaped) };
}

/** Returns a whole escape, because the end of a long escape, such as `41` of `\x41`, must not be read as literal characters. */
function matchEscape(source: string, position: number): string {
  return (
    /^\\(?:[pPu]\{[^}]*\}|k<[^>]*>|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|\d+|.)/s.exec(source.slice(position))?.[0] ??
    source.slice(position, position + 2)
  );
}

/** Returns the position after the matching closing bracket. */
function findClosing(source: string, position: number): number {
  let depth = 0;
  let isInClass = false;
  for (let at = position; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0 && !isInClass) return at + 1;
  }
  return source.length;
}
