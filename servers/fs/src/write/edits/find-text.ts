import { findRuns, type Items } from './find-runs.ts';
import type { TextLines } from './text-lines.ts';

/** Characters compared, at worst, by `String.prototype.indexOf`, whose time is the product of both lengths for what repeats itself. */
const QUICK = 50_000_000;

/** Length of the prefix that is searched for first. */
const BEGINNING = 16;

/** Where a text was found, and what is to come there. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Lines that count, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** What is looked for, with line ends written as `\n`. */
export interface Sought {
  readonly oldText: string;
  readonly newText: string;
}

/** Every place where a text stands as it is, none of them overlapping. */
export function* findExactly(
  text: string,
  { oldText, newText }: Sought,
  { first, last }: LineRange,
  lines: TextLines,
): Generator<Found> {
  const begin = Math.min(text.length, lines.startOf(first));
  // If a text is missing, its prefix is usually missing too, and the search for the short prefix is fast.
  const from = text.indexOf(oldText.slice(0, BEGINNING), begin);
  if (from === -1) return;
  const to = Math.min(text.length, lines.startOf(last + 1));
  const isQuick = (to - from) * oldText.length <= QUICK;
  const starts = isQuick ? occurrences(text, oldText, from) : findRuns(unitsOf(text), unitsOf(oldText), { from, to });
  for (const start of starts) {
    const end = start + oldText.length;
    if (end > to) return;
    yield { start, end, newText };
  }
}

function* occurrences(text: string, wanted: string, from: number): Generator<number> {
  for (let at = text.indexOf(wanted, from); at !== -1; at = text.indexOf(wanted, at + wanted.length)) yield at;
}

function unitsOf(text: string): Items<number> {
  return { length: text.length, at: (place) => text.charCodeAt(place) };
}

/** Every run of whole lines that differ from those of a text in the white space at their ends only; what is new gets their indentation. */
export function* findLines(text: string, sought: Sought, { first, last }: LineRange, lines: TextLines): Generator<Found> {
  const isWhole = sought.oldText.endsWith('\n');
  const wanted = (isWhole ? sought.oldText.slice(0, -1) : sought.oldText).split('\n');
  const trimmed = wanted.map((line) => line.trim());
  if (trimmed.every((line) => line === '')) return;
  const all = { length: lines.lines.length, at: (place: number) => lines.lines[place]?.trim() };
  const runs = findRuns(all, { length: trimmed.length, at: (place) => trimmed[place] }, { from: first - 1, to: last });
  for (const start of runs) {
    const region = lines.lines.slice(start, start + wanted.length);
    const end = lines.endOf(start + wanted.length);
    const takesEnd = isWhole && end < text.length;
    const newText = isWhole && !takesEnd ? sought.newText.replace(/\n$/, '') : sought.newText;
    yield { start: lines.startOf(start + 1), end: takesEnd ? end + 1 : end, newText: reindented(newText, wanted, region) };
  }
}

/** Lines with the indentation that the file has where the text that was looked for has another one. */
function reindented(newText: string, wanted: readonly string[], region: readonly string[]): string {
  const indents = new Map<string, string>();
  for (const [index, line] of wanted.entries()) {
    if (line.trim() !== '' && !indents.has(indentOf(line))) indents.set(indentOf(line), indentOf(region[index] ?? ''));
  }
  const longestFirst = [...indents].sort(([one], [other]) => other.length - one.length);
  const known = new Map<string, string>();
  const indentedAs = (own: string): string => {
    const longest = longestFirst.find(([indent]) => own.startsWith(indent));
    return longest === undefined ? own : longest[1] + own.slice(longest[0].length);
  };
  return newText
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return line;
      const own = indentOf(line);
      const indent = known.get(own) ?? indentedAs(own);
      known.set(own, indent);
      return indent + line.slice(own.length);
    })
    .join('\n');
}

function indentOf(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
}
