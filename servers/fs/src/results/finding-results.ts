import { Result } from '@org/mcp-decorators';

import type { ContentMatch, ContentMatches } from '../operations/content-matches.ts';
import type { DirectoryTree } from '../operations/directory-tree.ts';
import type { Entry } from '../operations/entry.ts';
import type { DirectoryListing, Listing } from '../operations/list-directory.ts';
import type { FileMatches } from '../operations/search-files.ts';
import { readableSize } from '../text/readable-size.ts';
import { visibleName } from '../text/escape.ts';

/** Columns of a name and of a size. */
const NAME = 30;
const SIZE = 10;

export function listingResult({ listing, before }: Listing): Result {
  return Result.of(listing, withNotes(entryLines(listing), restOf({ listing, before })));
}

/** A line for each entry, whatever is in its name. */
export function entryLines({ entries, total }: DirectoryListing): readonly string[] {
  if (total === 0) return ['The directory is empty'];
  return entries.map((entry) => `${LABELS[entry.type]} ${visibleName(entry.name)}`);
}

/** As text alone: what programs want of it, list_directory has typed. */
export function sizesResult({ listing, totals, before }: Listing): Result {
  const lines = listing.entries.map(
    ({ name, type, size }) =>
      `${LABELS[type]} ${visibleName(name).padEnd(NAME)} ${size === undefined ? '' : readableSize(size).padStart(SIZE)}`,
  );
  const sums = [
    '',
    `Total: ${totals.files} files, ${totals.directories} directories`,
    `Combined size: ${readableSize(totals.bytes)}`,
  ];
  const { entries: _, ...facts } = listing;
  const [note] = restOf({ listing, before });
  return Result.text([...lines, ...sums].join('\n'), { facts, note });
}

/** The tree once, and facts about it in `_meta`. */
export function treeResult({ text, end, ...facts }: DirectoryTree): Result {
  const notes: string[] = [];
  if (text === '') notes.push('The directory is empty.');
  if (facts.nextCursor !== undefined) notes.push(`${facts.entries} entries are shown; ${more(facts.nextCursor)}.`);
  else if (end !== 'complete') notes.push(`Not all is shown: ${ENDS[end]}; name a directory further down.`);
  if (facts.unreadable > 0) notes.push(`${facts.unreadable} directories could not be read.`);
  return Result.text(text, { facts, title: 'Tree', ...(notes.length > 0 && { note: notes.join(' ') }) });
}

export function matchesResult(found: FileMatches): Result {
  const { matches, hint, truncated, unreadable } = found;
  const lines = matches.map(({ path }) => visibleName(path));
  if (lines.length === 0 && !truncated) lines.push(`No matches found${hint === undefined ? '' : `; ${visibleName(hint)}`}`);
  const notes = truncated ? [cutNote(counted(matches.length, 'match', 'matches'), found.nextCursor)] : [];
  if (unreadable > 0) notes.push(`${counted(unreadable, 'directory', 'directories')} could not be read.`);
  return Result.of(found, withNotes(lines, notes));
}

export function contentResult(found: ContentMatches): Result {
  const lines = [...linesByFile(found.matches)].flatMap(([path, shown]) => [visibleName(path), ...inOrderOf(shown)]);
  if (found.matches.length === 0)
    lines.push(...found.files.map(({ path, count }) => visibleName(path) + (count === undefined ? '' : `: ${count}`)));
  if (lines.length === 0 && !found.truncated) lines.push('No matches found');
  return Result.of(found, withNotes(lines, contentNotes(found)));
}

/** What is shown of lines, by their numbers. */
type ShownLines = ReadonlyMap<number, string>;

/** Each line once, whether it is around one match, around several, or matches itself. */
function linesByFile(matches: readonly ContentMatch[]): ReadonlyMap<string, ShownLines> {
  const files = new Map<string, Map<number, string>>();
  for (const match of matches) {
    const shown = files.get(match.path) ?? new Map<number, string>();
    for (const [line, text] of linesAround(match)) if (!shown.has(line)) shown.set(line, text);
    for (const [line, text] of matchedLines(match)) shown.set(line, text);
    files.set(match.path, shown);
  }
  return files;
}

/** As `grep` writes them: a colon after the number of a line that matches, a hyphen after others. */
function matchedLines({ line, text }: ContentMatch): readonly (readonly [number, string])[] {
  return text.split('\n').map((part, index) => [line + index, `${line + index}: ${part}`]);
}

function linesAround({ line, text, before = [], after = [] }: ContentMatch): readonly (readonly [number, string])[] {
  const first = line - before.length;
  const next = line + text.split('\n').length;
  return [
    ...before.map((part, index) => [first + index, `${first + index}- ${part}`] as const),
    ...after.map((part, index) => [next + index, `${next + index}- ${part}`] as const),
  ];
}

function inOrderOf(shown: ShownLines): readonly string[] {
  return [...shown].toSorted(([one], [other]) => one - other).map(([, text]) => text);
}

function contentNotes({ shown, matches, files, truncated, nextCursor, stats }: ContentMatches): readonly string[] {
  const notes: string[] = [];
  const count = shown === 'content' ? counted(matches.length, 'match', 'matches') : counted(files.length, 'file', 'files');
  if (truncated) notes.push(cutNote(count, nextCursor));
  const { binary, tooLarge, unreadable } = stats;
  if (binary > 0) notes.push(`${counted(binary, 'binary file was', 'binary files were')} not searched.`);
  if (tooLarge > 0)
    notes.push(`${counted(tooLarge, 'file is', 'files are')} too large for a search over line breaks or in UTF-16.`);
  if (unreadable > 0) notes.push(`${counted(unreadable, 'file or directory', 'files or directories')} could not be read.`);
  return notes;
}

function restOf({ listing, before }: Pick<Listing, 'listing' | 'before'>): readonly string[] {
  const { entries, total, truncated, nextCursor } = listing;
  if (!truncated) return [];
  const shown = before === 0 ? `${entries.length}` : `Entries ${before + 1} to ${before + entries.length}`;
  const things = before === 0 ? `${total} entries` : total;
  if (nextCursor !== undefined) return [`${shown} of ${things} are shown; ${more(nextCursor)}.`];
  return ['The directory has more entries than --max-scanned lets the server look at.'];
}

/** @param count such as `3 matches` */
function cutNote(count: string, cursor: string | undefined): string {
  const isOne = count.startsWith('1 ');
  const shown = `${count} ${isOne ? 'is' : 'are'} shown`;
  if (cursor !== undefined) return `${shown}; ${more(cursor)}.`;
  return `${shown}; the search ended at a limit, so narrow the pattern or the directory.`;
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** The last line is the server's: sentences in brackets. */
function withNotes(lines: readonly string[], notes: readonly string[]): string {
  return [...lines, ...(notes.length === 0 ? [] : [`[${notes.join(' ')}]`])].join('\n');
}

function more(cursor: string): string {
  return `go on with cursor ${cursor}`;
}

const ENDS = { limit: 'the tree is too large', scanned: 'there are too many entries', time: 'it took too long' } as const;

const LABELS: Readonly<Record<Entry['type'], string>> = {
  file: '[FILE]',
  directory: '[DIR]',
  symlink: '[LINK]',
  other: '[OTHER]',
};
