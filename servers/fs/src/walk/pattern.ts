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
  const source = wanted.regex ? wanted.pattern : wanted.pattern.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
  const { unconfined, confined } = expressionsOf(source, wanted);
  const Text = confined === undefined ? LinesText : StringText;
  const expression = confined ?? unconfined;
  const required = wanted.caseSensitive ? requiredTexts(source)?.map((text) => Buffer.from(text)) : undefined;
  const mayBeIn = (bytes: Buffer): boolean => required?.some((text) => bytes.includes(text)) ?? true;
  return { mayBeIn, over: (bytes, from, until) => new Text(bytes, { from, until }, expression) };
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
