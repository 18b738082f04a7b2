import { setImmediate } from 'node:timers/promises';

import { ToolError } from '@org/mcp-decorators';

import type { ClosestRegion } from './closest-region.ts';
import { findExactly, findLines, type Found, type LineRange } from './find-text.ts';
import { evenText, lineEndsOf, type EvenText } from './line-ends.ts';
import { TextLines } from './text-lines.ts';

/** How text is looked for: as it is, or, where that is not found, by whole lines without the white space around them. */
export type Match = 'exact' | 'whitespace';

/** One replacement. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean | undefined;
  /** How often the text has to be there; all of them are replaced. */
  readonly expectedCount?: number | undefined;
  /** First and last line, as they are before the first edit. */
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

export interface Edited {
  readonly text: string;
  readonly replacements: number;
}

/** Lines behind one have moved. */
interface Shift {
  readonly behind: number;
  readonly by: number;
}

const MOST_NAMED = 20;
/** Replacements of one call; each takes some hundred bytes meanwhile. */
const MOST_REPLACEMENTS = 1_000_000;

/** How edits are made. */
export interface Editing {
  readonly match: Match;
  /** As long the text may become. */
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
  /** Finds the region of a text, with line ends `\n`, that is most similar to `oldText`. Called only for an error. */
  readonly closest: (text: string, oldText: string) => Promise<ClosestRegion | undefined>;
}

/**
 * Makes replacements one after the other. What is not replaced stays as it is, and what comes in gets the line ends around it.
 *
 * @throws ToolError NO_MATCH, AMBIGUOUS_MATCH, INVALID_ARGUMENTS, TOO_LARGE
 */
export async function applyEdits(
  source: string,
  edits: readonly Edit[],
  { match, maxCharacters, signal, closest }: Editing,
): Promise<Edited> {
  const shifts: Shift[] = [];
  let text = source;
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    // Each edit goes through all of a text that may be large: others have their turn in between.
    await setImmediate(undefined, { signal });
    const even = evenText(text);
    const lines = new TextLines(even.text);
    const most = MOST_REPLACEMENTS - replacements;
    const found = find(even, lines, { edit, range: rangeOf(edit, shifts, lines), match, most });
    if (found.length === 0) throw noMatch(edit, index, await closest(even.text, even.evenly(edit.oldText)));
    requireCount(found, { edit, index, lines });
    requireRoom(text, found, maxCharacters);
    text = withReplacements(text, even, found);
    // Numbers of lines are those before this edit for each of its replacements, so that the last one counts first.
    for (const { start, end, newText } of [...found].reverse())
      shifts.push({
        behind: lines.lineAt(Math.max(start, end - 1)),
        by: countLines(newText) - countLines(even.text.slice(start, end)),
      });
    replacements += found.length;
  }
  return { text, replacements };
}

/** A text with what was found replaced; what comes in gets the line ends around it. */
export function withReplacements(source: string, even: EvenText, found: readonly Found[]): string {
  const withEnds = lineEndsOf(source);
  const parts: string[] = [];
  let position = 0;
  for (const { start, end, newText } of found) {
    const from = even.sourceOf(start);
    const to = even.sourceOf(end);
    parts.push(source.slice(position, from), withEnds(newText, source.slice(from, to)));
    position = to;
  }
  return parts.join('') + source.slice(position);
}

interface Search {
  readonly edit: Edit;
  readonly range: LineRange;
  readonly match: Match;
  readonly most: number;
}

function find({ text, evenly }: EvenText, lines: TextLines, { edit, range, match, most }: Search): readonly Found[] {
  const sought = { oldText: evenly(edit.oldText), newText: evenly(edit.newText) };
  const exact = upTo(most, findExactly(text, sought, range, lines));
  return exact.length > 0 || match === 'exact' ? exact : upTo(most, findLines(text, sought, range, lines));
}

function upTo(most: number, all: Iterable<Found>): readonly Found[] {
  const found: Found[] = [];
  for (const each of all) {
    if (found.length === most)
      throw new ToolError('TOO_LARGE', `there is more to replace than ${MOST_REPLACEMENTS} times in one call`, {
        hint: 'take in more of the text around it, or name startLine and endLine',
      });
    found.push(each);
  }
  return found;
}

function requireRoom({ length }: string, found: readonly Found[], maxCharacters: number): void {
  const longer = found.reduce((sum, { start, end, newText }) => sum + newText.length - (end - start), 0);
  if (length + longer <= Math.max(length, maxCharacters)) return;
  throw new ToolError(
    'TOO_LARGE',
    `the text would have ${length + longer} characters; what is edited has at most ${maxCharacters}`,
    {
      hint: 'nothing was changed; the operator raises the limit by --max-edit-bytes',
    },
  );
}

function rangeOf({ startLine = 1, endLine = Infinity }: Edit, shifts: readonly Shift[], { lines }: TextLines): LineRange {
  if (endLine < startLine) throw new ToolError('INVALID_ARGUMENTS', 'endLine is before startLine');
  return { first: shifted(startLine, shifts), last: Math.min(lines.length, shifted(endLine, shifts)) };
}

function shifted(line: number, shifts: readonly Shift[]): number {
  return shifts.reduce((at, { behind, by }) => (at > behind ? at + by : at), line);
}

interface Asked {
  readonly edit: Edit;
  readonly index: number;
  readonly lines: TextLines;
}

function requireCount(found: readonly Found[], { edit, index, lines }: Asked): void {
  const { replaceAll, expectedCount } = edit;
  const isRight = expectedCount === undefined ? replaceAll === true || found.length === 1 : found.length === expectedCount;
  if (isRight) return;
  const at = found.map(({ start }) => lines.lineAt(start));
  const named = at.slice(0, MOST_NAMED).join(', ') + (at.length > MOST_NAMED ? ' and more' : '');
  const wanted = expectedCount === undefined ? '' : `, not ${expectedCount} times`;
  throw new ToolError(
    'AMBIGUOUS_MATCH',
    `the text of edits[${index}] is there ${times(found.length)}${wanted}: ${at.length === 1 ? 'line' : 'lines'} ${named}`,
    {
      hint: 'take in more of the lines around it, name startLine and endLine, or replace all with replaceAll',
      data: { edit: index, count: found.length, lines: at.slice(0, MOST_NAMED) },
    },
  );
}

function noMatch({ startLine, endLine }: Edit, index: number, near: ClosestRegion | undefined): ToolError {
  const where = startLine === undefined && endLine === undefined ? '' : ' in these lines';
  const message = `the text of edits[${index}] is not there${where}`;
  if (near === undefined)
    return new ToolError('NO_MATCH', message, { hint: 'nothing is like it; read the file again', data: { edit: index } });
  const { startLine: first, endLine: last, reason } = near;
  return new ToolError('NO_MATCH', message, {
    hint: `closest is ${first === last ? `line ${first}` : `lines ${first} to ${last}`}: ${reason}`,
    data: { edit: index, ...near },
  });
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
