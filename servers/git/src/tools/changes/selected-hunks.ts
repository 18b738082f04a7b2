import { Integer, Text, TextList, ToolError } from '@org/mcp-decorators';

import type { SelectedHunk } from '../../repository/content/hunk-patch.ts';
import type { Hunk } from '../../repository/content/hunks.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';
import { formatCount } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';

const MAX_HUNKS = 1000;
const MAX_SELECTION = 4000;

/** Declares a parameter that selects hunks. */
export function HunkIds(): ReturnType<typeof TextList> {
  return TextList('Ids from git_hunks; 1a2b3c4d5e:3-5,7 selects lines of a hunk by their numbers', {
    minItems: 1,
    maxItems: MAX_HUNKS,
    maxLength: MAX_SELECTION,
  });
}

export class ChangedHunks {
  @Text() path!: string;
  @Integer('Number of hunks') hunks!: number;
}

/** Some lines of a hunk, or the whole hunk if `lines` is `undefined`. */
export interface Selection {
  readonly id: string;
  readonly lines: ReadonlySet<number> | undefined;
}

const SELECTION = /^(?<id>[0-9a-f]{10})(?::(?<ranges>\d{1,6}(?:-\d{1,6})?(?:,\d{1,6}(?:-\d{1,6})?)*))?$/;
const MAX_LINES = 100_000;

/** Parses ids of hunks, each with or without line numbers. @throws ToolError INVALID_ARGUMENTS */
export function parseSelections(texts: readonly string[]): readonly Selection[] {
  return texts.map(parseSelection);
}

function parseSelection(text: string): Selection {
  const { id, ranges } = SELECTION.exec(text.trim())?.groups ?? {};
  if (id === undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${quoteInput(text)} is not an id of a hunk`, {
      hint: 'use an id from git_hunks, such as 1a2b3c4d5e, or an id with lines, such as 1a2b3c4d5e:3-5,7',
    });
  if (ranges === undefined) return { id, lines: undefined };
  return { id, lines: new Set(ranges.split(',').flatMap(parseRange)) };
}

/** @throws ToolError INVALID_ARGUMENTS */
function parseRange(range: string): readonly number[] {
  const [first = 0, last = first] = range.split('-').map(Number);
  if (first < 1 || last < first || last > MAX_LINES)
    throw new ToolError('INVALID_ARGUMENTS', `${quoteInput(range)} is not a range of line numbers`);
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}

/** Returns the current hunks that are selected. @throws ToolError HUNK_CHANGED if an id names no current hunk */
export function selectHunks(current: readonly Hunk[], wanted: readonly Selection[]): readonly SelectedHunk[] {
  const byId = new Map(current.map((hunk) => [hunk.id, hunk]));
  const missing = wanted.filter(({ id }) => !byId.has(id)).map(({ id }) => id);
  if (missing.length > 0)
    throw new ToolError('HUNK_CHANGED', `no current hunk has the id ${missing.join(', ')}; nothing was changed`, {
      hint: 'the file has changed, or the hunk is staged already: list the hunks again with git_hunks',
      data: { hunks: missing },
    });
  return [...new Set(wanted.map(({ id }) => id))].flatMap((id) => {
    const hunk = byId.get(id);
    return hunk === undefined ? [] : [{ hunk, lines: mergeLines(wanted.filter((each) => each.id === id)) }];
  });
}

/** Merges the selections of one hunk. A selection without lines selects the whole hunk. */
function mergeLines(selections: readonly Selection[]): ReadonlySet<number> | undefined {
  const sets = selections.map(({ lines }) => lines);
  return sets.includes(undefined) ? undefined : new Set(sets.flatMap((lines) => [...(lines ?? [])]));
}

/** Counts the selected hunks of each file. */
export function countHunks(selected: readonly SelectedHunk[]): ChangedHunks[] {
  const paths = [...new Set(selected.map(({ hunk }) => hunk.path))];
  return paths.map((path) => ({ path, hunks: selected.filter(({ hunk }) => hunk.path === path).length }));
}

/** Formats the counts, such as `Staged 2 hunks of a.txt`. */
export function formatHunkCounts(files: readonly ChangedHunks[], done: string): string {
  return files.map(({ path, hunks }) => `${done} ${formatCount(hunks, 'hunk')} of ${formatPath(path)}`).join('\n');
}
