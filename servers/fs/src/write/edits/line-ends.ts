import { eolOf } from '../../text/encoding.ts';

/** A text with its line ends written as `\n`, and where its characters are in the text. */
export interface EvenText {
  readonly text: string;
  /** Where a position of {@link EvenText.text} is in the text as it stands in the file. */
  readonly sourceOf: (position: number) => number;
  /** Another text as it would stand in {@link EvenText.text}. */
  readonly evenly: (text: string) => string;
}

/** Edits are told without regard to how a file ends its lines. */
export function evenText(source: string): EvenText {
  const eol = eolOf(source);
  if (eol === 'lf' || eol === 'none') return { text: source, sourceOf: (position) => position, evenly: withEvenEnds };
  if (eol === 'cr') return { text: withoutReturns(source), sourceOf: (position) => position, evenly: withoutReturns };
  const dropped: number[] = [];
  const text = source.replaceAll('\r\n', (_, at: number) => {
    dropped.push(at - dropped.length);
    return '\n';
  });
  return { text, sourceOf: (position) => position + countBelow(dropped, position), evenly: withEvenEnds };
}

/** Gives what comes into a text the line ends of what it replaces, or, where that has none, of most lines. */
export function lineEndsOf(source: string): (text: string, replaced: string) => string {
  const own = eolOf(source);
  if (own === 'none') return (text) => text;
  if (own !== 'mixed') return (text) => withEvenEnds(text).replaceAll('\n', ENDS[own]);
  const common = commonEnd(source);
  return (text, replaced) => withEvenEnds(text).replaceAll('\n', /\r?\n/.exec(replaced)?.[0] ?? common);
}

export function withEvenEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Where a carriage return alone ends lines, whoever shows them hands it on. */
function withoutReturns(text: string): string {
  return withEvenEnds(text).replaceAll('\r', '\n');
}

export const ENDS = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

function commonEnd(source: string): string {
  const crlf = source.split('\r\n').length;
  return crlf * 2 > source.split('\n').length ? '\r\n' : '\n';
}

/** How many of ascending numbers are less than a limit. */
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
