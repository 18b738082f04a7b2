import type { TextLines } from './text-lines.ts';

/**
 * Maximum number of character comparisons of `String.prototype.indexOf`, whose worst case is the product of both lengths. A
 * search that could need more comparisons uses {@link findRuns}.
 */
const MAX_COMPARISONS = 50_000_000;

/** Length of the prefix that is searched for first. */
const PREFIX = 16;

/** A found occurrence and its replacement. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** A range of lines, including both ends. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The text to find and its replacement, with `\n` line endings. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** Yields the non-overlapping occurrences of `oldText` in a range of lines, each with its replacement. */
export function* findExactly(
  text: string,
  { oldText, newText }: TextEdit,
  { first, last }: LineRange,
  lines: TextLines,
): Generator<Found> {
  const begin = Math.min(text.length, lines.lineStart(first));
  // If a text is missing, its prefix is usually missing too, and the search for the short prefix is fast.
  const from = text.indexOf(oldText.slice(0, PREFIX), begin);
  if (from === -1) return;
  const to = Math.min(text.length, lines.lineStart(last + 1));
  const isFast = (to - from) * oldText.length <= MAX_COMPARISONS;
  const starts = isFast ? findOccurrences(text, oldText, from) : findRuns(toItems(text), toItems(oldText), { from, to });
  for (const start of starts) {
    const end = start + oldText.length;
    if (end > to) return;
    yield { start, end, newText };
  }
}

function* findOccurrences(text: string, wanted: string, from: number): Generator<number> {
  for (let at = text.indexOf(wanted, from); at !== -1; at = text.indexOf(wanted, at + wanted.length)) yield at;
}

function toItems(text: string): Items<number> {
  return { length: text.length, at: (position) => text.charCodeAt(position) };
}

/**
 * Yields all runs of whole lines that equal a text except for white space at the beginning and end of each line. The new text
 * gets the indentation of these lines.
 */
export function* findLines(text: string, edit: TextEdit, { first, last }: LineRange, lines: TextLines): Generator<Found> {
  const isWhole = edit.oldText.endsWith('\n');
  const wanted = (isWhole ? edit.oldText.slice(0, -1) : edit.oldText).split('\n');
  const trimmed = wanted.map((line) => line.trim());
  if (trimmed.every((line) => line === '')) return;
  const all = { length: lines.lines.length, at: (position: number) => lines.lines[position]?.trim() };
  const runs = findRuns(all, { length: trimmed.length, at: (position) => trimmed[position] }, { from: first - 1, to: last });
  for (const start of runs) {
    const region = lines.lines.slice(start, start + wanted.length);
    const end = lines.lineEnd(start + wanted.length);
    const takesEnd = isWhole && end < text.length;
    const newText = isWhole && !takesEnd ? edit.newText.replace(/\n$/, '') : edit.newText;
    yield { start: lines.lineStart(start + 1), end: takesEnd ? end + 1 : end, newText: reindent(newText, wanted, region) };
  }
}

/**
 * Returns the new text with the indentation of the file: an indentation of `wanted`, the old text, becomes the indentation of
 * the corresponding line of `region`.
 */
function reindent(newText: string, wanted: readonly string[], region: readonly string[]): string {
  const indents = new Map<string, string>();
  for (const [index, line] of wanted.entries()) {
    if (line.trim() !== '' && !indents.has(readIndent(line))) indents.set(readIndent(line), readIndent(region[index] ?? ''));
  }
  const longestFirst = [...indents].sort(([one], [other]) => other.length - one.length);
  const known = new Map<string, string>();
  const findIndent = (own: string): string => {
    const longest = longestFirst.find(([indent]) => own.startsWith(indent));
    return longest === undefined ? own : longest[1] + own.slice(longest[0].length);
  };
  return newText
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return line;
      const own = readIndent(line);
      const indent = known.get(own) ?? findIndent(own);
      known.set(own, indent);
      return indent + line.slice(own.length);
    })
    .join('\n');
}

function readIndent(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
}

/** Items with random access. */
interface Items<Item> {
  readonly length: number;
  readonly at: (position: number) => Item;
}

/**
 * Yields the positions of all non-overlapping occurrences of a sequence between two positions. Takes linear time even for
 * repetitive items (Knuth, Morris and Pratt).
 */
function* findRuns<Item>(
  items: Items<Item>,
  wanted: Items<Item>,
  { from, to }: { readonly from: number; readonly to: number },
): Generator<number> {
  const borders = computeBorders(wanted);
  let known = 0;
  for (let position = from; position < to; position += 1) {
    const item = items.at(position);
    while (known > 0 && wanted.at(known) !== item) known = borders[known - 1] ?? 0;
    if (wanted.at(known) === item) known += 1;
    if (known < wanted.length) continue;
    yield position + 1 - known;
    known = 0;
  }
}

/** Computes for each prefix the length of its longest proper prefix that is also its suffix. */
function computeBorders<Item>({ length, at }: Items<Item>): Uint32Array {
  const borders = new Uint32Array(length);
  let border = 0;
  for (let position = 1; position < length; position += 1) {
    const item = at(position);
    while (border > 0 && at(border) !== item) border = borders[border - 1] ?? 0;
    if (at(border) === item) border += 1;
    borders[position] = border;
  }
  return borders;
}
