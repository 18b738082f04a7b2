import { detectEol } from '../text/encoding.ts';

/** A text with `\n` line endings. */
export interface NormalizedText {
  readonly text: string;
  /** Converts a position in {@link NormalizedText.text} to a position in the original text. */
  readonly toSource: (position: number) => number;
  /** Normalizes another text in the same way. */
  readonly normalize: (text: string) => string;
}

/** Normalizes line endings, because edits do not specify the line endings of a file. */
export function normalizeText(source: string): NormalizedText {
  const eol = detectEol(source);
  if (eol === 'lf' || eol === 'none') return { text: source, toSource: (position) => position, normalize: normalizeLineEnds };
  if (eol === 'cr') return { text: normalizeReturns(source), toSource: (position) => position, normalize: normalizeReturns };
  const dropped: number[] = [];
  const text = source.replaceAll('\r\n', (_, at: number) => {
    dropped.push(at - dropped.length);
    return '\n';
  });
  return { text, toSource: (position) => position + countBelow(dropped, position), normalize: normalizeLineEnds };
}

/**
 * Returns a function that gives all lines of a new text the first line ending of the replaced text. If the replaced text has
 * no line ending, the function uses the most frequent line ending of the file. A new text for a file without line endings
 * stays as it is.
 */
export function createLineEndAdapter(source: string): (text: string, replaced: string) => string {
  const own = detectEol(source);
  if (own === 'none') return (text) => text;
  if (own !== 'mixed') return (text) => normalizeLineEnds(text).replaceAll('\n', LINE_ENDS[own]);
  const common = findCommonEnd(source);
  return (text, replaced) => normalizeLineEnds(text).replaceAll('\n', /\r?\n/.exec(replaced)?.[0] ?? common);
}

/** Replaces CRLF with LF. */
export function normalizeLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Replaces CRLF and CR with LF. Hosts show a CR line ending as `\n`, so edits of a file with CR line endings contain `\n`. */
function normalizeReturns(text: string): string {
  return normalizeLineEnds(text).replaceAll('\r', '\n');
}

export const LINE_ENDS = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

function findCommonEnd(source: string): string {
  const crlf = source.split('\r\n').length;
  return crlf * 2 > source.split('\n').length ? '\r\n' : '\n';
}

/** Counts the ascending numbers below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
