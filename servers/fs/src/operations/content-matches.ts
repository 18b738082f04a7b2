import path from 'node:path';

import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

import type { ContentQuery, ContentSummary, MatchedFile } from '../walk/job.ts';

const SHOWN = ['content', 'first lines', 'files', 'counts'] as const;

/** A line that matches. */
export class ContentMatch {
  @IsString()
  path!: string;

  @Field('From 1')
  @IsInt()
  line!: number;

  @Field('From 1')
  @IsInt()
  column!: number;

  @Field('Around the match, if long')
  @IsString()
  text!: string;

  @IsOptional()
  @IsString({ each: true })
  before?: string[];

  @IsOptional()
  @IsString({ each: true })
  after?: string[];
}

/** A file with matches. */
export class ContentFile {
  @IsString()
  path!: string;

  @IsOptional()
  @IsInt()
  count?: number;
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
  @Field('Less than asked for if that is too large')
  @IsIn([...SHOWN])
  shown!: 'content' | 'first lines' | 'files' | 'counts';

  @Field({ type: () => ContentMatch })
  @ValidateNested({ each: true })
  matches!: ContentMatch[];

  @Field('If not all lines are shown', { type: () => ContentFile })
  @ValidateNested({ each: true })
  files!: ContentFile[];

  @Field('Counts: files searched, matches; left out: binary, tooLarge, unreadable', { values: 'integer' })
  stats!: ContentStats;

  @IsBoolean()
  truncated!: boolean;

  @IsOptional()
  @IsString()
  nextCursor?: string;
}

interface Answering {
  /** The path of the directory that clients see. */
  readonly shown: string;
  readonly mode: ContentQuery['mode'];
  readonly maxBytes: number;
  readonly nextCursor: string | undefined;
}

/** What was found, as far as it fits: all lines, else the first line of each file without those around it, else counts. */
export function answerOf(items: readonly MatchedFile[], summary: ContentSummary, answering: Answering): ContentMatches {
  const { files, binary, tooLarge, unreadable, end } = summary;
  const matched = items.map((item) => ({ ...item, path: path.join(answering.shown, item.relative) }));
  const matches = matched.reduce((sum, { count, lines }) => sum + (answering.mode === 'content' ? lines.length : count), 0);
  return {
    ...shownOf(matched, answering),
    stats: { files, matches, binary, tooLarge, unreadable },
    truncated: end !== 'complete',
    ...(answering.nextCursor !== undefined && { nextCursor: answering.nextCursor }),
  };
}

type Matched = MatchedFile & { readonly path: string };

function shownOf(
  matched: readonly Matched[],
  { mode, maxBytes }: Answering,
): Pick<ContentMatches, 'shown' | 'matches' | 'files'> {
  const counts = matched.map(({ path: file, count }) => ({ path: file, count }));
  if (mode === 'files') return { shown: 'files', matches: [], files: counts.map(({ path: file }) => ({ path: file })) };
  if (mode === 'count') return { shown: 'counts', matches: [], files: counts };
  const all = matched.flatMap(({ path: file, lines }) => lines.map((line) => matchOf(file, line)));
  if (fits(all, maxBytes)) return { shown: 'content', matches: all, files: [] };
  const first = matched.flatMap(({ path: file, lines }) =>
    lines.slice(0, 1).map(({ line, column, text }) => ({ path: file, line, column, text })),
  );
  return { shown: fits(first, maxBytes) ? 'first lines' : 'counts', matches: fits(first, maxBytes) ? first : [], files: counts };
}

function matchOf(file: string, { before, after, ...line }: MatchedFile['lines'][number]): ContentMatch {
  return { path: file, ...line, ...(before && { before: [...before] }), ...(after && { after: [...after] }) };
}

function fits(matches: readonly ContentMatch[], maxBytes: number): boolean {
  let bytes = 0;
  for (const match of matches) {
    bytes += Buffer.byteLength(JSON.stringify(match));
    if (bytes > maxBytes) return false;
  }
  return true;
}
