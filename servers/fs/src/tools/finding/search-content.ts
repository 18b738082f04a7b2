import { Flag, Integer, OneOf, Text, type RequestContext } from '@org/mcp-decorators';

import { compilePattern, type PatternQuery } from '../../search/pattern.ts';
import { searchFiles, type SearchQuery } from '../../threads/search-files.ts';
import { CountField, CursorField, GlobsField, IsPattern } from '../fields.ts';
import type { Files } from '../files.ts';
import { PathInput } from '../path-input.ts';
import { createPage, type ContentMatches } from './content-matches.ts';
import { openSearchedPath, type SearchedPath } from './open-searched-path.ts';
import { openPosition, sealPosition, type Position } from './page.ts';
import { createContentFilters, requireValidPattern } from './scope.ts';

const OUTPUT_MODES = ['content', 'files', 'count'] as const;
/** Maximum number of lines before a match, and of lines after a match; read_text_file reads more. */
const MAX_CONTEXT = 20;

export class SearchContentInput extends PathInput {
  @CursorField() cursor?: string;
  @Flag('false: also .git and ignored files', { optional: true }) gitignore?: boolean;
  @Flag('false: skip dotfiles', { optional: true }) hidden?: boolean;
  @IsPattern() @Text('Text, or with regex a JavaScript regular expression') pattern!: string;
  @Flag('Regular expression', { optional: true }) regex?: boolean;
  @Flag('Default: true', { optional: true }) caseSensitive?: boolean;
  @Flag('Whole words', { optional: true }) word?: boolean;
  @Flag('With regex: . matches line breaks', { optional: true }) multiline?: boolean;
  @GlobsField('Globs of files, such as *.ts; default: all') include?: string[];
  @GlobsField('Globs; a bare name at any depth') exclude?: string[];
  @Integer('Lines before each match', { optional: true, min: 0, max: MAX_CONTEXT }) before?: number;
  @Integer('Lines after each match', { optional: true, min: 0, max: MAX_CONTEXT }) after?: number;

  @OneOf(OUTPUT_MODES, 'Default: content; count: per file', { optional: true })
  outputMode?: 'content' | 'files' | 'count';

  @CountField('Lines or files per page') limit?: number;
}

/**
 * Searches a text file, or the text files below a directory: at most `maxMatches` lines or files, and `maxBytes` bytes, among
 * `maxScanned` entries. Links below the directory are not followed.
 *
 * @throws ToolError INVALID_ARGUMENTS, TIMEOUT, OVERLOADED, and errors of `Roots.openDirectory`
 */
export async function searchContent(files: Files, input: SearchContentInput, context: RequestContext): Promise<ContentMatches> {
  const position = await openPosition(context, input);
  const searched = await openSearchedPath(files, input.path);
  await using directory = searched.directory;
  const query = await createQuery(files, searched, input, position);
  const { items, summary } = await searchFiles(files, directory, query, context);
  const { mode, resume: begin } = query;
  const { found, resume } = createPage(items, summary, {
    shown: directory.shown,
    mode,
    maxBytes: files.limits.maxBytes,
    resume: begin,
  });
  if (resume === undefined) return found;
  return { ...found, nextCursor: await sealPosition(context, input, { skip: resume.skip, after: resume.path }) };
}

async function createQuery(
  files: Files,
  searched: SearchedPath,
  input: SearchContentInput,
  position: Position | undefined,
): Promise<SearchQuery> {
  const { include, exclude, gitignore, hidden, before = 0, after = 0, outputMode = 'content', limit = Infinity } = input;
  const pattern = toPatternQuery(input);
  requireValidPattern(() => compilePattern(pattern));
  return {
    ...pattern,
    ...(await createContentFilters(files, searched, { include, excludePatterns: exclude, gitignore, hidden })),
    before,
    after,
    mode: outputMode,
    limit: Math.min(limit, files.limits.maxMatches),
    resume: position?.after === undefined ? undefined : { path: position.after, skip: position.skip },
  };
}

function toPatternQuery(input: SearchContentInput): PatternQuery {
  const { pattern, regex = false, caseSensitive = true, word = false, multiline = false } = input;
  return { pattern, regex, caseSensitive, word, multiline };
}
