/** Shorter texts are in nearly every file. */
const SHORTEST = 2;
/** Asking for more of them takes as long as the expression itself. */
const MOST = 8;
/** Escapes that stand for the character itself. */
const PLAIN_ESCAPE = /[$()*+./?[\\\]^{|}\-"'#,:;<=>@_`~!%& ]/;

/**
 * Texts of which one is in all that a regular expression matches: the longest of each of its alternatives. What has none of them needs
 * no look by the expression itself, and most files have not.
 *
 * @param source as it stands between slashes; valid, and to be matched with its case
 * @returns `undefined` if there is an alternative of which none is known
 */
export function requiredTexts(source: string): readonly string[] | undefined {
  const longest = alternativesOf(source).map((runs) =>
    runs.reduce((one, other) => (other.length > one.length ? other : one), ''),
  );
  return longest.length <= MOST && longest.every((text) => text.length >= SHORTEST) ? longest : undefined;
}

/** Of each alternative the texts that are in it. */
function alternativesOf(source: string): readonly (readonly string[])[] {
  const alternatives: string[][] = [];
  let runs: string[] = [];
  let run = '';
  for (let position = 0; position < source.length;) {
    const { literal, length } = atomAt(source, position);
    const quantifier = QUANTIFIER.exec(source.slice(position + length, position + length + 20))?.[0] ?? '';
    // What may be missing is no part of a text; what is repeated is its last one.
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
  /** What it stands for, if it is nothing but a character. */
  readonly literal: string | undefined;
  readonly length: number;
}

function atomAt(source: string, position: number): Atom {
  const character = source[position] ?? '';
  if (character === '\\') return escapeAt(source, position);
  if (character === '[' || character === '(') return { literal: undefined, length: closing(source, position) - position };
  const [whole = character] = source.slice(position, position + 2);
  return { literal: '.^$|)*+?{}]'.includes(whole) ? undefined : whole, length: whole.length };
}

function escapeAt(source: string, position: number): Atom {
  const escaped = source[position + 1] ?? '';
  if (PLAIN_ESCAPE.test(escaped)) return { literal: escaped, length: 2 };
  // Of a longer escape the rest would be taken for letters.
  return { literal: undefined, length: longEscape(source, position) };
}

function longEscape(source: string, position: number): number {
  return (
    /^\\(?:[pPu]\{[^}]*\}|k<[^>]*>|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|\d+|.)/s.exec(source.slice(position))?.[0].length ?? 2
  );
}

/** The position after the bracket that closes the one at a position. */
function closing(source: string, position: number): number {
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
