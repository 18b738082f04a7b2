import { RequiredSequence } from './required-sequence.ts';
import { requiredTexts } from './required-texts.ts';
import { BytesText, LinesText, StringText, type SearchedText } from './searched-text.ts';

/** A text or regular expression to search for. */
export interface PatternQuery {
  readonly pattern: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly word: boolean;
  readonly multiline: boolean;
}

/** A compiled search pattern. */
export interface Pattern {
  /**
   * Returns quickly whether the pattern may match in these bytes. Returns `true` if no quick check of the pattern is possible.
   */
  mayBeIn(bytes: Buffer): boolean;
  /**
   * Creates a view of bytes that finds the matches of this pattern that begin at byte `from` or later and before byte `until`.
   */
  view(bytes: Buffer, from: number, until: number): SearchedText;
}

/**
 * Compiles a pattern. A literal, case-sensitive pattern is searched in the bytes of a file without decoding them.
 *
 * @throws SyntaxError for an invalid regular expression
 */
export function compilePattern(query: PatternQuery): Pattern {
  if (!query.regex && query.caseSensitive) {
    const needle = Buffer.from(query.pattern);
    const mayBeIn = (bytes: Buffer): boolean => bytes.includes(needle);
    return { mayBeIn, view: (bytes, from, until) => new BytesText(bytes, { from, until }, { needle, word: query.word }) };
  }
  const source = toSource(query);
  const { unconfined, confined } = compileExpressions(source, query);
  const sequence = query.multiline ? undefined : RequiredSequence.of(source, unconfined.flags);
  const required = query.caseSensitive ? requiredTexts(source)?.map((text) => Buffer.from(text)) : undefined;
  const mayBeIn = (bytes: Buffer): boolean => required?.some((text) => bytes.includes(text)) ?? true;
  const view = (bytes: Buffer, from: number, until: number): SearchedText => {
    const rare = sequence?.isRare === true ? sequence : undefined;
    if (confined === undefined || rare !== undefined) return new LinesText(bytes, { from, until }, confined ?? unconfined, rare);
    return new StringText(bytes, { from, until }, confined);
  };
  return { mayBeIn, view };
}

/**
 * Compiles a function that yields all matches in a text with `\n` line endings, in order. A match of a regular expression stays
 * in one line.
 *
 * @throws SyntaxError for an invalid regular expression
 */
export function compileMatcher(query: Omit<PatternQuery, 'multiline'>): (text: string) => Generator<RegExpExecArray> {
  const { unconfined, confined } = compileExpressions(toSource(query), { ...query, multiline: false });
  if (!query.regex) return (text) => matchesIn(text, unconfined);
  return confined === undefined ? (text) => matchesInLines(text, unconfined) : (text) => matchesIn(text, confined);
}

function* matchesIn(text: string, expression: RegExp): Generator<RegExpExecArray> {
  for (const match of text.matchAll(expression)) {
    // A match at the end of an empty text, or after the last line break, is skipped, because no line begins there.
    if (match.index < text.length || (text !== '' && !text.endsWith('\n'))) yield match;
  }
}

function* matchesInLines(text: string, expression: RegExp): Generator<RegExpExecArray> {
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak === -1 ? text.length : lineBreak;
    for (const match of text.slice(start, end).matchAll(expression)) {
      match.index += start;
      yield match;
    }
    start = end + 1;
  }
}

function toSource({ pattern, regex }: Pick<PatternQuery, 'pattern' | 'regex'>): string {
  return regex ? pattern : pattern.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}

interface Expressions {
  readonly unconfined: RegExp;
  /** The expression to match in a whole text; `undefined` if each line must be matched separately. */
  readonly confined: RegExp | undefined;
}

function compileExpressions(source: string, { word, multiline, caseSensitive }: PatternQuery): Expressions {
  const flags = caseSensitive ? 'gm' : 'gmi';
  // The original expression is compiled first, so that a syntax error quotes this expression.
  const unconfined = compileExpression(source, flags, word);
  if (multiline) return { unconfined, confined: compileExpression(source, `${flags}s`, word) };
  const confined = confineToLine(source);
  return { unconfined, confined: confined === undefined ? undefined : compileExpression(confined, flags, word) };
}

/** Compiles with the `u` flag, or without it if the expression is valid only in the older syntax. */
function compileExpression(source: string, flags: string, word: boolean): RegExp {
  try {
    return new RegExp(word ? String.raw`(?<![\p{L}\p{N}_])(?:${source})(?![\p{L}\p{N}_])` : source, `${flags}u`);
  } catch {
    const older = new RegExp(source, flags);
    return word ? new RegExp(String.raw`(?<!\w)(?:${older.source})(?!\w)`, flags) : older;
  }
}

/** Escapes outside character classes that match line breaks, with replacements that match no line break. */
const OUTSIDE: Readonly<Record<string, string>> = {
  s: String.raw`[^\S\r\n]`,
  D: String.raw`[^\d\r\n]`,
  W: String.raw`[^\w\r\n]`,
};

/** Matches the letters of the other escapes, outside character classes, that may match a line break. */
const UNKNOWN_OUTSIDE = /[Pnrxucv0]/;
/** Matches the letters of escapes inside character classes that may match a line break. */
const UNKNOWN_INSIDE = /[sDWSPnrxucv0]/;

/**
 * Converts a regular expression so that it matches no line break. The result finds in a whole text what the original expression
 * finds in each line. One call then searches a whole file, and no repetition runs to the end of the file.
 *
 * @param source a valid expression, without slashes
 * @returns `undefined` if the conversion is unknown; the caller then matches each line separately
 */
export function confineToLine(source: string): string | undefined {
  // Lookarounds in a whole text would also examine the neighbouring lines.
  if (/\(\?<?[=!]/.test(source)) return undefined;
  let confined = '';
  for (let position = 0; position < source.length;) {
    const part = source[position] === '[' ? convertClass(source, position) : convertCharacter(source, position);
    if (part === undefined) return undefined;
    confined += part.text;
    position += part.length;
  }
  return confined;
}

interface ConvertedPart {
  readonly text: string;
  /** Number of characters of the part in the original expression. */
  readonly length: number;
}

function convertCharacter(source: string, position: number): ConvertedPart | undefined {
  const character = source[position] ?? '';
  if (character !== '\\') return character === '\n' || character === '\r' ? undefined : { text: character, length: 1 };
  const escaped = source[position + 1] ?? '';
  if (UNKNOWN_OUTSIDE.test(escaped)) return undefined;
  return { text: OUTSIDE[escaped] ?? character + escaped, length: 2 };
}

function convertClass(source: string, position: number): ConvertedPart | undefined {
  const isNegated = source[position + 1] === '^';
  const begin = position + (isNegated ? 2 : 1);
  const end = findClassEnd(source, begin);
  const members = source.slice(begin, end);
  if (isNegated) return { text: `[^${members}\\r\\n]`, length: end + 1 - position };
  const isKnown = [...members.matchAll(/\\(.)/gs)].every(([, escaped = '']) => !UNKNOWN_INSIDE.test(escaped));
  // A range that begins with a control character may contain the line breaks, so a class with such a character is not converted.
  const isVisible = Array.from(members).every((member) => member >= ' ');
  return isKnown && isVisible ? { text: `[${members}]`, length: end + 1 - position } : undefined;
}

function findClassEnd(source: string, begin: number): number {
  let end = begin;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end;
}
