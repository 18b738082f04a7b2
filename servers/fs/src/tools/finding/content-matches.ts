import path from 'node:path';

import { Field, Flag, Integer, ListOf, OneOf, Result, Text, TextList } from '@org/mcp-decorators';

import type { SearchSummary } from '../../search/merged-batches.ts';
import type { ContentQuery, MatchedFile, Resume } from '../../search/search-content.ts';
import { visibleName } from '../../text/format.ts';
import { cutNote, formatCount, ignoredHint, sum, withNotes } from '../notes.ts';
import { ResultBudget } from '../result-budget.ts';

const SHOWN = ['content', 'files', 'counts'] as const;

/** A matching line. */
export class ContentMatch {
  @Text() path!: string;
  @Integer('From 1') line!: number;
  @Integer('From 1') column!: number;
  @Text() text!: string;
  @TextList({ optional: true }) before?: string[];
  @TextList({ optional: true }) after?: string[];
}

/** A file with matches. */
export class ContentFile {
  @Text() path!: string;
  @Integer({ optional: true }) count?: number;
}

/** Counts of a search. */
export type ContentStats = Readonly<
  Record<
    /** Number of searched files. */
    | 'files'
    /** Number of matching lines on this page. If only files are shown, one line of each file counts. */
    | 'matches'
    /** Number of binary files, which are not searched. */
    | 'binary'
    /** Number of files that are too large for a multiline search or for a search in UTF-16. */
    | 'tooLarge'
    /** Number of unreadable files and directories. */
    | 'unreadable'
    /** Number of files and directories that the rules of `.gitignore` files leave out. */
    | 'ignored',
    number
  >
>;

/** A page of the matches of a content search. */
export class ContentMatches {
  @OneOf(SHOWN) shown!: 'content' | 'files' | 'counts';
  @ListOf(() => ContentMatch) matches!: ContentMatch[];
  @ListOf(() => ContentFile) files!: ContentFile[];
  @Field('Not searched: binary, tooLarge, unreadable, ignored', { values: 'integer' }) stats!: ContentStats;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) nextCursor?: string;
}

interface PageOptions {
  /** Path of the searched directory, as clients see it. */
  readonly shown: string;
  readonly mode: ContentQuery['mode'];
  readonly maxBytes: number;
  /** The start of this page. */
  readonly resume: Resume | undefined;
}

/** A page of matches and the start of the next page. */
export interface ContentPage {
  readonly found: Omit<ContentMatches, 'nextCursor'>;
  readonly resume: Resume | undefined;
}

/** Creates a page of the first matches that fit. */
export function createPage(items: readonly MatchedFile[], summary: SearchSummary, options: PageOptions): ContentPage {
  const { files, binary, tooLarge, unreadable, ignored, end } = summary;
  const { mode } = options;
  const page = selectFittingMatches(items, options);
  const matches = mode === 'content' ? page.matches.length : sum(page.files.map(({ count = 0 }) => count));
  return {
    found: {
      shown: mode === 'count' ? 'counts' : mode,
      matches: page.matches,
      files: mode === 'files' ? page.files.map((file) => ({ path: file.path })) : page.files,
      stats: { files, matches, binary, tooLarge, unreadable, ignored },
      truncated: page.resume !== undefined || end !== 'complete',
    },
    resume: page.resume ?? summary.resume,
  };
}

interface FittingMatches extends Pick<ContentMatches, 'matches' | 'files'> {
  readonly resume?: Resume;
}

function selectFittingMatches(
  items: readonly MatchedFile[],
  { mode, shown, maxBytes, resume: begin }: PageOptions,
): FittingMatches {
  const budget = new ResultBudget(maxBytes);
  const matches: ContentMatch[] = [];
  const files: Required<ContentFile>[] = [];
  for (const { relative, count, lines } of items) {
    const file = { path: path.join(shown, relative), count };
    const known = begin?.path === relative ? begin.skip : 0;
    const first = matches.length;
    for (const line of mode === 'content' ? lines : []) {
      const match = toMatch(file.path, line);
      if (!budget.take(match)) return { matches, files, resume: { path: relative, skip: known + matches.length - first } };
      matches.push(match);
    }
    if (mode === 'content') continue;
    if (!budget.take(file)) return { matches, files, resume: { path: relative, skip: known } };
    files.push(file);
  }
  return { matches, files };
}

function toMatch(file: string, { before, after, ...line }: MatchedFile['lines'][number]): ContentMatch {
  return { path: file, ...line, ...(before && { before: [...before] }), ...(after && { after: [...after] }) };
}

export function contentMatchesResult(found: ContentMatches): Result {
  const byFile = groupLinesByFile(found.matches);
  const lines = [...byFile].flatMap(([file, shown]) => [visibleName(file), ...sortLines(shown)]);
  if (found.matches.length === 0)
    lines.push(...found.files.map((file) => visibleName(file.path) + (file.count === undefined ? '' : `: ${file.count}`)));
  if (lines.length === 0 && !found.truncated) lines.push(['No matches found', ...ignoredHint(found.stats)].join('; '));
  return Result.of(found, withNotes(lines, contentNotes(found)));
}

/** Formatted lines by their numbers. */
type ShownLines = ReadonlyMap<number, string>;

/** Groups the lines by file. Each line is shown once, even if it is near several matches or matches itself. */
function groupLinesByFile(matches: readonly ContentMatch[]): ReadonlyMap<string, ShownLines> {
  const files = new Map<string, Map<number, string>>();
  for (const match of matches) {
    const shown = files.get(match.path) ?? new Map<number, string>();
    for (const [line, text] of formatContext(match)) if (!shown.has(line)) shown.set(line, text);
    for (const [line, text] of formatMatch(match)) shown.set(line, text);
    files.set(match.path, shown);
  }
  return files;
}

/** Formats matching lines like `grep`, with a colon after the line number. Context lines have a hyphen after the number. */
function formatMatch({ line, text }: ContentMatch): readonly (readonly [number, string])[] {
  return text.split('\n').map((part, index) => [line + index, `${line + index}: ${part}`]);
}

function formatContext({ line, text, before = [], after = [] }: ContentMatch): readonly (readonly [number, string])[] {
  const first = line - before.length;
  const next = line + text.split('\n').length;
  return [
    ...before.map((part, index) => [first + index, `${first + index}- ${part}`] as const),
    ...after.map((part, index) => [next + index, `${next + index}- ${part}`] as const),
  ];
}

function sortLines(shown: ShownLines): readonly string[] {
  return [...shown].toSorted(([one], [other]) => one - other).map(([, text]) => text);
}

function contentNotes({ shown, matches, files, truncated, nextCursor, stats }: ContentMatches): readonly string[] {
  const notes: string[] = [];
  const isContent = shown === 'content';
  const count = isContent ? formatCount(matches.length, 'match', 'matches') : formatCount(files.length, 'file', 'files');
  if (truncated) notes.push(cutNote(count, nextCursor));
  const { binary, tooLarge, unreadable } = stats;
  if (binary > 0) notes.push(`${formatCount(binary, 'binary file was', 'binary files were')} not searched.`);
  if (tooLarge > 0)
    notes.push(`${formatCount(tooLarge, 'file is', 'files are')} too large for a multiline search or a search in UTF-16.`);
  if (unreadable > 0) notes.push(`${formatCount(unreadable, 'file or directory', 'files or directories')} could not be read.`);
  return notes;
}
