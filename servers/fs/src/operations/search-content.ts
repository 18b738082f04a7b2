import { Field, Flag, Integer, OneOf, Text, type RequestContext } from '@org/mcp-decorators';
import { IsOptional } from 'class-validator';
import type { OpenDirectory } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { excluderOf } from '../walk/globs.ts';
import type { ContentQuery } from '../walk/job.ts';
import { compilePattern } from '../walk/pattern.ts';
import { searchInParts } from '../walk/search-in-parts.ts';
import { pageOf, type ContentMatches } from './content-matches.ts';
import { IsPattern, IsPatterns } from './is-pattern.ts';
import { openSearched } from './open-searched.ts';
import { openPosition, sealPosition, type Position } from './page.ts';
import { scopeOf, usable, WalkInput } from './scope.ts';

const OUTPUT_MODES = ['content', 'files', 'count'] as const;
/** Lines around a match; more of a file is read with read_text_file. */
const MAX_CONTEXT = 20;

export class SearchContentInput extends WalkInput {
  @IsPattern() @Text('Text, or with regex a JavaScript regular expression') pattern!: string;
  @Flag({ optional: true }) regex?: boolean;
  @Flag('Default: true', { optional: true }) caseSensitive?: boolean;
  @Flag('Whole words', { optional: true }) word?: boolean;
  @Flag('With regex: . matches line breaks', { optional: true }) multiline?: boolean;

  @Field('Globs of files, such as *.ts; default: all')
  @IsOptional()
  @IsPatterns()
  include?: string[];

  @Field('Globs to leave out; a bare name at any depth')
  @IsOptional()
  @IsPatterns()
  exclude?: string[];

  @Integer('Lines before each match', { optional: true, min: 0, max: MAX_CONTEXT }) before?: number;
  @Integer('Lines after each match', { optional: true, min: 0, max: MAX_CONTEXT }) after?: number;

  @OneOf(OUTPUT_MODES, 'Matching lines (default), the files, or a count for each', { optional: true })
  outputMode?: 'content' | 'files' | 'count';

  @Integer('Most lines, or files', { optional: true, min: 1 }) limit?: number;
}

/**
 * Searches the text files below a directory, at most `maxMatches` lines in `maxBytes` among `maxScanned` entries; links are not followed.
 *
 * @throws ToolError INVALID_ARGUMENTS, TIMEOUT, OVERLOADED, and errors of `Roots.openDirectory`
 */
export async function searchContent(files: Files, input: SearchContentInput, context: RequestContext): Promise<ContentMatches> {
  const position = await openPosition(context, input);
  await using directory = await openSearched(files, input.path);
  const query = await queryOf(files, directory, input, position);
  const { items, summary } = await searchInParts(files, directory, query, context);
  const { mode, resume: begin } = query;
  const answering = { shown: directory.shown, mode, maxBytes: files.limits.maxBytes, resume: begin };
  const { found, resume } = pageOf(items, summary, answering);
  if (resume === undefined) return found;
  return { ...found, nextCursor: await sealPosition(context, input, { skip: resume.skip, after: resume.path }) };
}

async function queryOf(
  files: Files,
  directory: OpenDirectory,
  input: SearchContentInput,
  position: Position | undefined,
): Promise<ContentQuery> {
  const { include = [], exclude, gitignore, hidden, before = 0, after = 0, outputMode = 'content', limit = Infinity } = input;
  const wanted = wantedOf(input);
  usable(() => [compilePattern(wanted), excluderOf(include)]);
  return {
    ...wanted,
    scope: await scopeOf(files, directory, { excludePatterns: exclude, gitignore, hidden }, { purpose: 'search' }),
    include,
    before,
    after,
    mode: outputMode,
    limit: Math.min(limit, files.limits.maxMatches),
    resume: position?.after === undefined ? undefined : { path: position.after, skip: position.skip },
  };
}

function wantedOf({
  pattern,
  regex = false,
  caseSensitive = true,
  word = false,
  multiline = false,
}: SearchContentInput): Pick<ContentQuery, 'pattern' | 'regex' | 'caseSensitive' | 'word' | 'multiline'> {
  return { pattern, regex, caseSensitive, word, multiline };
}
