import type { TextLines } from './text-lines.ts';

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
export function findExactly(
  text: string,
  { oldText, newText }: Sought,
  { first, last }: LineRange,
  lines: TextLines,
): readonly Found[] {
  const found: Found[] = [];
  const end = Math.min(text.length, lines.startOf(last + 1));
  let start = text.indexOf(oldText, Math.min(text.length, lines.startOf(first)));
  while (start !== -1 && start + oldText.length <= end) {
    found.push({ start, end: start + oldText.length, newText });
    start = text.indexOf(oldText, start + oldText.length);
  }
  return found;
}

/** Every run of whole lines that differ from those of a text in the white space at their ends only; what is new gets their indentation. */
export function findLines(text: string, sought: Sought, { first, last }: LineRange, lines: TextLines): readonly Found[] {
  const isWhole = sought.oldText.endsWith('\n');
  const wanted = (isWhole ? sought.oldText.slice(0, -1) : sought.oldText).split('\n');
  const trimmed = wanted.map((line) => line.trim());
  if (trimmed.every((line) => line === '')) return [];
  const found: Found[] = [];
  for (let line = first; line + wanted.length - 1 <= last; line += 1) {
    if (!trimmed.every((each, index) => lines.lines[line - 1 + index]?.trim() === each)) continue;
    const final = line + wanted.length - 1;
    const end = lines.endOf(final);
    const takesEnd = isWhole && end < text.length;
    const newText = isWhole && !takesEnd ? sought.newText.replace(/\n$/, '') : sought.newText;
    const region = lines.lines.slice(line - 1, final);
    found.push({ start: lines.startOf(line), end: takesEnd ? end + 1 : end, newText: reindented(newText, wanted, region) });
    line = final;
  }
  return found;
}

/** Lines with the indentation that the file has where the text that was looked for has another one. */
function reindented(newText: string, wanted: readonly string[], region: readonly string[]): string {
  const indents = new Map<string, string>();
  for (const [index, line] of wanted.entries()) {
    if (line.trim() !== '' && !indents.has(indentOf(line))) indents.set(indentOf(line), indentOf(region[index] ?? ''));
  }
  const longestFirst = [...indents].sort(([one], [other]) => other.length - one.length);
  return newText
    .split('\n')
    .map((line) => {
      const known = line.trim() === '' ? undefined : longestFirst.find(([indent]) => indentOf(line).startsWith(indent));
      return known === undefined ? line : known[1] + line.slice(known[0].length);
    })
    .join('\n');
}

function indentOf(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
}
