import { setImmediate } from 'node:timers/promises';

import { ToolError } from '@org/mcp-decorators';

import type { ClosestRegion } from './closest-region.ts';
import { findExactly, findLines, type Found, type LineRange } from './find-text.ts';
import { createLineEndAdapter, normalizeText, type NormalizedText } from './normalized-text.ts';
import { requireSeparateLines, selectLines } from './select-lines.ts';
import { TextLines } from './text-lines.ts';

/**
 * `exact`: only exact matches count. `whitespace`: without an exact match, whole lines match regardless of white space at their
 * beginnings and ends.
 */
export type Match = 'exact' | 'whitespace';

/** One replacement. */
export interface Edit {
  /** Default: the whole lines from `startLine` to `endLine`. */
  readonly oldText?: string | undefined;
  readonly newText: string;
  readonly replaceAll?: boolean | undefined;
  /** Required number of occurrences; all are replaced. */
  readonly expectedCount?: number | undefined;
  /**
   * First line that is searched; without `oldText`, first line that is replaced. `startLine` and `endLine` refer to the text
   * before the first edit. Default: the first line of the text.
   */
  readonly startLine?: number | undefined;
  /** Last line that is searched or replaced. Default: the last line of the text; without `oldText`, `startLine`. */
  readonly endLine?: number | undefined;
}

export interface Edited {
  readonly text: string;
  readonly replacements: number;
}

/** A shift of the line numbers after a line. */
interface Shift {
  readonly after: number;
  readonly by: number;
}

const MAX_NAMED = 20;
/** Maximum number of replacements of one call; each needs a few hundred bytes of memory. */
const MAX_REPLACEMENTS = 1_000_000;

/** How edits are applied. */
export interface EditOptions {
  readonly match: Match;
  /** Maximum number of characters of the text after an edit, unless the text before the edit has more. */
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
  /**
   * Finds the region of a text, with line endings `\n`, that is most similar to `oldText`. Called only if an edit does not
   * match.
   */
  readonly findClosest: (text: string, oldText: string) => Promise<ClosestRegion | undefined>;
}

/**
 * Applies replacements one after the other. Text outside the replacements stays as it is. New text gets the line endings that
 * {@link createLineEndAdapter} chooses.
 *
 * @throws ToolError NO_MATCH, AMBIGUOUS_MATCH, INVALID_ARGUMENTS, TOO_LARGE
 */
export async function applyEdits(
  source: string,
  edits: readonly Edit[],
  { match, maxCharacters, signal, findClosest }: EditOptions,
): Promise<Edited> {
  requireSeparateLines(edits.flatMap(toLineRange));
  const shifts: Shift[] = [];
  let text = source;
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    // Each edit scans the whole text, which may be large, so other calls get a turn in between.
    await setImmediate(undefined, { signal });
    const normalized = normalizeText(text);
    const lines = new TextLines(normalized.text);
    const limit = MAX_REPLACEMENTS - replacements;
    const found = find(normalized, lines, { edit, index, range: createRange(edit, shifts, lines), match, limit });
    if (found.length === 0)
      throw noMatch(edit, index, await findClosest(normalized.text, normalized.normalize(edit.oldText ?? '')));
    requireCount(found, { edit, index, lines });
    requireRoom(text, found, maxCharacters);
    text = replaceFound(text, normalized, found);
    // Shifts are recorded from the last replacement to the first, because every line number refers to the text before this edit.
    for (const { start, end, newText } of [...found].reverse())
      shifts.push({
        after: lines.lineAt(Math.max(start, end - 1)),
        by: countLines(newText) - countLines(normalized.text.slice(start, end)),
      });
    replacements += found.length;
  }
  return { text, replacements };
}

/**
 * Returns a text with the found occurrences replaced. New text gets the line endings that {@link createLineEndAdapter}
 * chooses.
 */
export function replaceFound(source: string, normalized: NormalizedText, found: readonly Found[]): string {
  const withEnds = createLineEndAdapter(source);
  const parts: string[] = [];
  let position = 0;
  for (const { start, end, newText } of found) {
    const from = normalized.toSource(start);
    const to = normalized.toSource(end);
    parts.push(source.slice(position, from), withEnds(newText, source.slice(from, to)));
    position = to;
  }
  return parts.join('') + source.slice(position);
}

interface Search {
  readonly edit: Edit;
  readonly index: number;
  readonly range: LineRange;
  readonly match: Match;
  readonly limit: number;
}

function find({ text, normalize }: NormalizedText, lines: TextLines, search: Search): readonly Found[] {
  const { edit, index, range, match, limit } = search;
  const newText = normalize(edit.newText);
  if (edit.oldText === undefined) return [selectLines(text, { newText, range, index }, lines)];
  const sought = { oldText: normalize(edit.oldText), newText };
  const exact = takeAtMost(limit, findExactly(text, sought, range, lines));
  return exact.length > 0 || match === 'exact' ? exact : takeAtMost(limit, findLines(text, sought, range, lines));
}

function takeAtMost(limit: number, all: Iterable<Found>): readonly Found[] {
  const found: Found[] = [];
  for (const each of all) {
    if (found.length === limit)
      throw new ToolError('TOO_LARGE', `one call cannot replace more than ${MAX_REPLACEMENTS} occurrences`, {
        hint: 'include more of the surrounding text, or set startLine and endLine',
      });
    found.push(each);
  }
  return found;
}

function requireRoom({ length }: string, found: readonly Found[], maxCharacters: number): void {
  const longer = found.reduce((sum, { start, end, newText }) => sum + newText.length - (end - start), 0);
  if (length + longer <= Math.max(length, maxCharacters)) return;
  throw new ToolError('TOO_LARGE', `the edited text would have ${length + longer} characters; the limit is ${maxCharacters}`, {
    hint: 'nothing was changed; the operator can raise the limit with --max-edit-bytes',
  });
}

function createRange({ oldText, startLine = 1, endLine }: Edit, shifts: readonly Shift[], { lines }: TextLines): LineRange {
  const last = endLine ?? (oldText === undefined ? startLine : Infinity);
  if (last < startLine) throw new ToolError('INVALID_ARGUMENTS', 'endLine is before startLine');
  const range = { first: shifted(startLine, shifts), last: shifted(last, shifts) };
  return oldText === undefined ? range : { ...range, last: Math.min(lines.length, range.last) };
}

function toLineRange({ oldText, startLine, endLine }: Edit): readonly { readonly startLine: number; readonly endLine: number }[] {
  if (oldText !== undefined || startLine === undefined) return [];
  return [{ startLine, endLine: endLine ?? startLine }];
}

function shifted(line: number, shifts: readonly Shift[]): number {
  return shifts.reduce((at, { after, by }) => (at > after ? at + by : at), line);
}

interface CountedEdit {
  readonly edit: Edit;
  readonly index: number;
  readonly lines: TextLines;
}

function requireCount(found: readonly Found[], { edit, index, lines }: CountedEdit): void {
  const { replaceAll, expectedCount } = edit;
  const isRight = expectedCount === undefined ? replaceAll === true || found.length === 1 : found.length === expectedCount;
  if (isRight) return;
  const at = found.map(({ start }) => lines.lineAt(start));
  const named = at.slice(0, MAX_NAMED).join(', ') + (at.length > MAX_NAMED ? ' and more' : '');
  const wanted = expectedCount === undefined ? '' : `, not ${expectedCount} times`;
  throw new ToolError(
    'AMBIGUOUS_MATCH',
    `oldText of edits[${index}] occurs ${formatTimes(found.length)}${wanted}: ${at.length === 1 ? 'line' : 'lines'} ${named}`,
    {
      hint: 'include more surrounding lines, set startLine and endLine, or replace all occurrences with replaceAll',
      data: { edit: index, count: found.length, lines: at.slice(0, MAX_NAMED) },
    },
  );
}

function noMatch({ startLine, endLine }: Edit, index: number, near: ClosestRegion | undefined): ToolError {
  const scope = startLine === undefined && endLine === undefined ? '' : ' in the lines that startLine and endLine select';
  const message = `oldText of edits[${index}] does not occur${scope}`;
  if (near === undefined)
    return new ToolError('NO_MATCH', message, { hint: 'no similar text exists; read the file again', data: { edit: index } });
  const { startLine: first, endLine: last, reason } = near;
  return new ToolError('NO_MATCH', message, {
    hint: `the most similar text is ${first === last ? `line ${first}` : `lines ${first} to ${last}`}: ${reason}`,
    data: { edit: index, ...near },
  });
}

function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
