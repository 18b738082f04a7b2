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
  return Result.of(listing, [...entryLines(listing), ...restOf({ listing, before })].join('\n'));
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
  return Result.text([...lines, ...restOf({ listing, before }), ...sums].join('\n'), { facts });
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
  const lines = found.matches.map(({ path }) => visibleName(path));
  if (found.truncated) {
    const next =
      found.nextCursor === undefined ? 'narrow the pattern or the directory' : `narrow it, or ${more(found.nextCursor)}`;
    lines.push(`… the search ended at a limit after ${found.scanned} entries; ${next}`);
  } else if (lines.length === 0) lines.push(`No matches found${found.hint === undefined ? '' : `; ${visibleName(found.hint)}`}`);
  if (found.unreadable > 0) lines.push(`… ${found.unreadable} directories could not be read`);
  return Result.of(found, lines.join('\n'));
}

export function contentResult(found: ContentMatches): Result {
  const lines = [...linesByFile(found.matches)].flatMap(([path, shown]) => [visibleName(path), ...inOrderOf(shown)]);
  if (found.matches.length === 0)
    lines.push(...found.files.map(({ path, count }) => visibleName(path) + (count === undefined ? '' : `: ${count}`)));
  if (lines.length === 0 && !found.truncated) lines.push('No matches found');
  return Result.of(found, [...lines, ...contentNotes(found)].join('\n'));
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

function contentNotes({ truncated, nextCursor, stats }: ContentMatches): readonly string[] {
  const notes: string[] = [];
  if (truncated && nextCursor !== undefined) notes.push(`… there may be more; narrow it, or ${more(nextCursor)}`);
  else if (truncated) notes.push('… the search ended at a limit; narrow the pattern or the directory');
  if (stats.binary > 0) notes.push(`… ${stats.binary} binary files were not searched`);
  if (stats.tooLarge > 0) notes.push(`… ${stats.tooLarge} files are too large for a search over line breaks or in UTF-16`);
  if (stats.unreadable > 0) notes.push(`… ${stats.unreadable} files or directories could not be read`);
  return notes;
}

function restOf({ listing, before }: Pick<Listing, 'listing' | 'before'>): readonly string[] {
  const { entries, total, truncated, nextCursor } = listing;
  if (!truncated) return [];
  const rest = total - before - entries.length;
  const next = nextCursor === undefined ? '' : `; ${more(nextCursor)}`;
  return [
    rest > 0 ? `… more of ${total} entries are not shown${next}` : '… the directory has more entries than may be looked at',
  ];
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
