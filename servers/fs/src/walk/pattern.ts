import { confineToLine } from './confine-to-line.ts';
import type { ContentQuery } from './job.ts';
import { requiredTexts } from './required-texts.ts';
import { BytesText, LinesText, StringText, type SearchedText } from './searched-text.ts';

type Wanted = Pick<ContentQuery, 'pattern' | 'regex' | 'caseSensitive' | 'word' | 'multiline'>;

/** What is searched for. */
export interface Pattern {
  /** Whether it may match in these bytes at all; quick. */
  mayBeIn(bytes: Buffer): boolean;
  /** Bytes, as it looks at them. A match begins from `from` on and before `until`. */
  over(bytes: Buffer, from: number, until: number): SearchedText;
}

/**
 * Takes letters for what they are unless `regex` is set; those are looked for in the bytes of a file.
 *
 * @throws SyntaxError for a regular expression that is none
 */
export function compilePattern(wanted: Wanted): Pattern {
  if (!wanted.regex && wanted.caseSensitive) {
    const needle = Buffer.from(wanted.pattern);
    const mayBeIn = (bytes: Buffer): boolean => bytes.includes(needle);
    return { mayBeIn, over: (bytes, from, until) => new BytesText(bytes, { from, until }, { needle, word: wanted.word }) };
  }
  const source = sourceOf(wanted);
  const { unconfined, confined } = expressionsOf(source, wanted);
  const Text = confined === undefined ? LinesText : StringText;
  const expression = confined ?? unconfined;
  const required = wanted.caseSensitive ? requiredTexts(source)?.map((text) => Buffer.from(text)) : undefined;
  const mayBeIn = (bytes: Buffer): boolean => required?.some((text) => bytes.includes(text)) ?? true;
  return { mayBeIn, over: (bytes, from, until) => new Text(bytes, { from, until }, expression) };
}

/**
 * Finds every match in a text whose lines end with `\n`, in order; that of a regular expression is within one line.
 *
 * @throws SyntaxError for a regular expression that is none
 */
export function compileMatcher(wanted: Omit<Wanted, 'multiline'>): (text: string) => Generator<RegExpExecArray> {
  const { unconfined, confined } = expressionsOf(sourceOf(wanted), { ...wanted, multiline: false });
  if (!wanted.regex) return (text) => matchesIn(text, unconfined);
  return confined === undefined ? (text) => matchesInLines(text, unconfined) : (text) => matchesIn(text, confined);
}

function* matchesIn(text: string, expression: RegExp): Generator<RegExpExecArray> {
  for (const match of text.matchAll(expression)) {
    // After the last line break no line begins.
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

function sourceOf({ pattern, regex }: Pick<Wanted, 'pattern' | 'regex'>): string {
  return regex ? pattern : pattern.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}

interface Expressions {
  readonly unconfined: RegExp;
  /** Finds in a whole text what is wanted; `undefined`: each line has to be looked at by itself. */
  readonly confined: RegExp | undefined;
}

function expressionsOf(source: string, { word, multiline, caseSensitive }: Wanted): Expressions {
  const flags = caseSensitive ? 'gm' : 'gmi';
  // What is wrong is said of the expression as it was given.
  const unconfined = expressionOf(source, flags, word);
  if (multiline) return { unconfined, confined: expressionOf(source, `${flags}s`, word) };
  const confined = confineToLine(source);
  return { unconfined, confined: confined === undefined ? undefined : expressionOf(confined, flags, word) };
}

/** Characters are whole code points, unless it is written as only the older syntax allows. */
function expressionOf(source: string, flags: string, word: boolean): RegExp {
  try {
    return new RegExp(word ? String.raw`(?<![\p{L}\p{N}_])(?:${source})(?![\p{L}\p{N}_])` : source, `${flags}u`);
  } catch {
    const older = new RegExp(source, flags);
    return word ? new RegExp(String.raw`(?<!\w)(?:${older.source})(?!\w)`, flags) : older;
  }
}
