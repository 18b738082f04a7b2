/** An atom or a bracket of a regular expression, and its quantifier. */
const TOKEN =
  /(?<atom>\[(?:\\.|[^\]\\])*\]?|\\(?:x..|.)|\((?:\?(?:<?[=!]|:|<\w+>))?|.)(?:(?<quantifier>[*+?]|\{(?<least>\d+)(?:,\d*)?\})\??)?/g;

interface Token {
  readonly atom: string;
  /** The fewest times that it occurs. */
  readonly least: number;
}

/**
 * The source of a regular expression as the keyword `pattern`, which is read with the flag `u`; `undefined` if the source might then
 * refuse a text that the expression accepts.
 *
 * Takes what `@Matches()` takes: an expression, or its source and flags.
 */
export function portablePattern(pattern: unknown, flags: unknown): string | undefined {
  const expression = toExpression(pattern, flags);
  const remaining = expression?.flags.replaceAll(/[dg]/g, '');
  if (expression === undefined || (remaining !== '' && remaining !== 'u')) return undefined;
  return remaining === 'u' || acceptsNoLessByCodePoints(expression.source) ? expression.source : undefined;
}

/** The keyword `pattern` for texts that contain a text. */
export function patternOf(text: string): string {
  return text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function toExpression(pattern: unknown, flags: unknown): RegExp | undefined {
  if (pattern instanceof RegExp) return pattern;
  return typeof pattern === 'string' ? compiled(pattern, typeof flags === 'string' ? flags : '') : undefined;
}

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/**
 * Without the flag `u` a character beyond the Basic Multilingual Plane is two. That makes no difference where only named ASCII
 * characters are matched; where others are, an expression may need both halves: `^.{2}$`, `^\S+\S+$`.
 */
function acceptsNoLessByCodePoints(source: string): boolean {
  const escapes = [...source.matchAll(/\\(.)/g)].map(([, letter]) => letter);
  if (!/^[ -~]*$/.test(source) || /[BPckpu]/.test(escapes.join('')) || compiled(source, 'u') === undefined) return false;
  const tokens = [...source.matchAll(TOKEN)].map(({ groups }) => token(groups));
  if (tokens.some(({ atom }) => /^\(\?<?!/.test(atom))) return false;
  const wide = tokens.filter(({ atom }) => isWide(atom));
  if (wide.some(({ least }) => least > 1)) return false;
  return wide.length === 0 || (wide.length === 1 ? !repeatsOrLooks(source) : areSeparated(tokens));
}

function token(groups: Readonly<Record<string, string | undefined>> = {}): Token {
  const { atom = '', quantifier, least } = groups;
  return { atom, least: least === undefined ? (quantifier === '*' || quantifier === '?' ? 0 : 1) : Number(least) };
}

/** Whether an atom also matches characters that it does not name, including halves of surrogate pairs. */
function isWide(atom: string): boolean {
  return atom === '.' || atom.startsWith('[^') || (/^[[\\]/.test(atom) && /\\[DSW]/.test(atom));
}

/** Whether a group is quantified, an assertion looks around or a group is referred to; brackets in classes count too. */
function repeatsOrLooks(source: string): boolean {
  return /\)[*+?{]|\(\?<?=|\\[1-9]/.test(source);
}

/** Whether a named character must stand between any two atoms that match others; groups and alternatives are not looked into. */
function areSeparated(tokens: readonly Token[]): boolean {
  let separated = true;
  for (const { atom, least } of tokens) {
    if (/^[()|]|^\\[1-9]/.test(atom)) return false;
    if (isWide(atom)) {
      if (!separated) return false;
      separated = false;
    } else if (least > 0 && !/^(?:[$^]|\\b)$/.test(atom)) separated = true;
  }
  return true;
}
