import { Integer, ListOf, Result, Text, TextList, escapeInvisible } from '@org/mcp-decorators';

import { buildWalkArguments, resolveLogStart } from '../../repository/refs/log-position.ts';
import type { Repository } from '../../repository/repository.ts';
import { splitLines } from '../../repository/parse/fields.ts';
import { resolvePaths } from '../../repository/work-tree/paths.ts';
import { formatCount } from '../../text/format.ts';
import { listPage } from '../inputs/list-page.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatMore } from '../results/result-text.ts';
import { buildLogFilters } from './log-filters.ts';

export class GitShortlogInput extends RepositoryInput {
  @Text('Branch, tag, commit, A..B or A...B; default: HEAD', { optional: true }) revision?: string;
  @Text('ISO 8601, or words such as "2 weeks ago"', { optional: true }) since?: string;
  @Text('Like since', { optional: true }) until?: string;
  @TextList('Files or directories', { optional: true, maxItems: 1000 }) paths?: string[];
  @Integer('Maximum number of authors', { min: 1 }) limit = 100;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

export class AuthorCount {
  @Text() author!: string;
  @Text() email!: string;
  @Integer('Number of commits without merges') commits!: number;
}

/** A page of the authors, most commits first. */
export class AuthorPage {
  @ListOf(() => AuthorCount) authors!: AuthorCount[];
  @Integer('Number of all authors') total!: number;
  @Text('Absent on the last page', { optional: true }) next_cursor?: string;
}

/**
 * Counts commits by author, without merges. Only the file `.mailmap` of the work tree joins the names of one author. Returns
 * at most `maxEntries` authors and `maxBytes` bytes.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, INVALID_ARGUMENTS, PATH_OUTSIDE_ROOTS
 */
export async function gitShortlog(repository: Repository, input: GitShortlogInput): Promise<Result> {
  const { since, until } = input;
  const filters = buildLogFilters({ regex: false, ...(since !== undefined && { since }), ...(until !== undefined && { until }) });
  const paths = resolvePaths(repository, input.paths ?? []);
  const start = buildWalkArguments(await resolveLogStart(repository, input.revision ?? 'HEAD'));
  const command = ['shortlog', '--summary', '--numbered', '--email', '--no-merges', ...filters, ...start, '--', ...paths];
  const { stdout } = await repository.read(command);
  const all = parseAuthors(stdout);
  const { maxEntries, maxBytes } = repository.limits;
  const { items: authors, ...next } = listPage(all, { cursor: input.cursor, most: Math.min(input.limit, maxEntries), maxBytes });
  return formatAuthors({ authors, total: all.length, ...next });
}

const LINE = /^\s*(\d+)\t(.*) <([^<>]*)>$/;

function parseAuthors(stdout: Buffer): readonly AuthorCount[] {
  return splitLines(stdout).flatMap((line) => {
    const [, commits, author = '', email = ''] = LINE.exec(line) ?? [];
    return commits === undefined ? [] : [{ author, email, commits: Number(commits) }];
  });
}

function formatAuthors(page: AuthorPage): Result {
  const lines = page.authors.map(
    ({ author, email, commits }) => `${formatCount(commits, 'commit')} ${escapeInvisible(author)} <${escapeInvisible(email)}>`,
  );
  if (page.next_cursor !== undefined) lines.push(formatMore(page.next_cursor));
  return Result.of(page, lines.length === 0 ? 'No commits found' : lines.join('\n'));
}
