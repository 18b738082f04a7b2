import path from 'node:path';

import { Field, Flag, Integer, ListOf, OneOf, Text, TextList } from '@org/mcp-decorators';

import { ResultBudget } from '../budget.ts';
import type { ContentQuery, ContentSummary, MatchedFile, Resume } from '../walk/job.ts';

const SHOWN = ['content', 'files', 'counts'] as const;

/** A line that matches. */
export class ContentMatch {
  @Text() path!: string;
  @Integer('From 1') line!: number;
  @Integer('From 1') column!: number;
  @Text('Around the match, if long') text!: string;
  @TextList({ optional: true }) before?: string[];
  @TextList({ optional: true }) after?: string[];
}

/** A file with matches. */
export class ContentFile {
  @Text() path!: string;
  @Integer({ optional: true }) count?: number;
}

/** What a search looked at. */
export type ContentStats = Readonly<
  Record<
    /** Files that were searched. */
    | 'files'
    /** Lines that match, of the files on this page. */
    | 'matches'
    /** Binary files, which are not searched. */
    | 'binary'
    /** Files too large for a search over line breaks or in UTF-16. */
    | 'tooLarge'
    /** What could not be read. */
    | 'unreadable',
    number
  >
>;

/** What a search found in files. */
export class ContentMatches {
  @OneOf(SHOWN) shown!: 'content' | 'files' | 'counts';
  @ListOf(() => ContentMatch) matches!: ContentMatch[];
  @ListOf(() => ContentFile, 'Of the other output modes') files!: ContentFile[];

  @Field('Counts; left out: binary, tooLarge, unreadable', { values: 'integer' })
  stats!: ContentStats;

  @Flag() truncated!: boolean;
  @Text({ optional: true }) nextCursor?: string;
}

interface Answering {
  /** The path of the directory that clients see. */
  readonly shown: string;
  readonly mode: ContentQuery['mode'];
  readonly maxBytes: number;
  /** Where this page begins. */
  readonly resume: Resume | undefined;
}

/** A page of what was found, and where the next one begins. */
export interface ContentPage {
  readonly found: Omit<ContentMatches, 'nextCursor'>;
  readonly resume: Resume | undefined;
}

/** As much of what was found as fits. */
export function pageOf(items: readonly MatchedFile[], summary: ContentSummary, answering: Answering): ContentPage {
  const { files, binary, tooLarge, unreadable, end } = summary;
  const { mode } = answering;
  const page = fittingPart(items, answering);
  const counted = mode === 'content' ? page.matches.length : page.files.reduce((sum, { count = 0 }) => sum + count, 0);
  return {
    found: {
      shown: mode === 'count' ? 'counts' : mode,
      matches: page.matches,
      files: mode === 'files' ? page.files.map(({ path: file }) => ({ path: file })) : page.files,
      stats: { files, matches: counted, binary, tooLarge, unreadable },
      truncated: page.resume !== undefined || end !== 'complete',
    },
    resume: page.resume ?? summary.resume,
  };
}

interface Fitting extends Pick<ContentMatches, 'matches' | 'files'> {
  readonly resume?: Resume;
}

function fittingPart(items: readonly MatchedFile[], { mode, shown, maxBytes, resume: begin }: Answering): Fitting {
  const budget = new ResultBudget(maxBytes);
  const matches: ContentMatch[] = [];
  const files: Required<ContentFile>[] = [];
  for (const { relative, count, lines } of items) {
    const file = { path: path.join(shown, relative), count };
    const known = begin?.path === relative ? begin.skip : 0;
    const first = matches.length;
    for (const line of mode === 'content' ? lines : []) {
      const match = matchOf(file.path, line);
      if (!budget.take(match)) return { matches, files, resume: { path: relative, skip: known + matches.length - first } };
      matches.push(match);
    }
    if (mode === 'content') continue;
    if (!budget.take(file)) return { matches, files, resume: { path: relative, skip: known } };
    files.push(file);
  }
  return { matches, files };
}

function matchOf(file: string, { before, after, ...line }: MatchedFile['lines'][number]): ContentMatch {
  return { path: file, ...line, ...(before && { before: [...before] }), ...(after && { after: [...after] }) };
}
