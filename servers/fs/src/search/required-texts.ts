/** Minimum length of a text, because shorter texts occur in nearly every file. */
const MIN_LENGTH = 2;
/** Maximum number of texts; checking more takes as long as the expression itself. */
const MAX_TEXTS = 8;
/** Matches the characters that stand for themselves after a backslash. */
const PLAIN_ESCAPE = /[$()*+./?[\\\]^{|}\-"'#,:;<=>@_`~!%& ]/;

/**
 * Returns texts of which at least one occurs in every match of a regular expression: the longest text of each alternative. Most
 * files contain none of them and need not be matched.
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
  for (let position = 0; position < source.length;) {
    const { literal, length } = readAtom(source, position);
    const quantifier = QUANTIFIER.exec(source.slice(position + length, position + length + 20))?.[0] ?? '';
    // An optional character is not part of a text. A repeated character ends the text.
    if (literal !== undefined && /^(?:\+|$)/.test(quantifier)) run += literal;
    if (literal === undefined || quantifier !== '') {
      runs.push(run);
      run = '';
    }
    if (source[position] === '|') alternatives.push(runs.splice(0));
    position += length + quantifier.length;
  }
  runs = [...runs, run];
  return [...alternatives, runs];
}

const QUANTIFIER = /^(?:[*+?]|\{\d[^}]*\})\??/;

interface Atom {
  /** The character, if the atom matches exactly one character; otherwise `undefined`. */
  readonly literal: string | undefined;
  readonly length: number;
}

function readAtom(source: string, position: number): Atom {
  const character = source[position] ?? '';
  if (character === '\\') return readEscape(source, position);
  if (character === '[' || character === '(') return { literal: undefined, length: findClosing(source, position) - position };
  const [whole = character] = source.slice(position, position + 2);
  return { literal: '.^$|)*+?{}]'.includes(whole) ? undefined : whole, length: whole.length };
}

function readEscape(source: string, position: number): Atom {
  const escaped = source[position + 1] ?? '';
  if (PLAIN_ESCAPE.test(escaped)) return { literal: escaped, length: 2 };
  // The rest of a longer escape must not be read as letters.
  return { literal: undefined, length: measureEscape(source, position) };
}

function measureEscape(source: string, position: number): number {
  return (
    /^\\(?:[pPu]\{[^}]*\}|k<[^>]*>|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|\d+|.)/s.exec(source.slice(position))?.[0].length ?? 2
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
