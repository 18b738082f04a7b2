import { Field, ToolError } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength, Min, MinLength, ValidateNested } from 'class-validator';

import { DIFF_FLAGS } from '../repository/diff.ts';
import { formatCursor, parseCursor, positionAfter, type LogPosition } from '../repository/log-cursor.ts';
import { LOG_FORMAT, parseCutCommit, parseLog, type LoggedCommit } from '../repository/parse/log.ts';
import { failureOf } from '../repository/failures.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import type { Output } from '../repository/runner.ts';
import { requireCommits, resolveCommit } from '../repository/revision.ts';
import { RepositoryInput } from './repository-input.ts';
import { quoted } from '../text/visible.ts';

export class GitLogInput extends RepositoryInput {
  @Field('Most commits to return')
  @IsInt()
  @Min(1)
  max_count = 10;

  @Field('next_cursor of an earlier answer, with the same other arguments: goes on where that ended')
  @IsOptional()
  @IsString()
  cursor?: string;

  @Field('Branch, tag or commit to begin with; default: HEAD')
  @IsOptional()
  @IsString()
  revision?: string;

  @Field('Only commits after this time: ISO 8601, or words such as "2 weeks ago"')
  @IsOptional()
  @IsString()
  @MaxLength(100)
  start_timestamp?: string;

  @Field('Only commits before this time')
  @IsOptional()
  @IsString()
  @MaxLength(100)
  end_timestamp?: string;

  @Field('Only commits that touch these files or directories')
  @IsOptional()
  @IsString({ each: true })
  paths?: string[];

  @Field('Only commits that change how often this text occurs')
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(1000)
  pickaxe?: string;
}

export class Commit {
  @IsString()
  oid!: string;

  @Field('More than one for a merge')
  @IsString({ each: true })
  parents!: string[];

  @IsString()
  author!: string;

  @IsString()
  email!: string;

  @Field('ISO 8601')
  @IsString()
  date!: string;

  @Field('The whole message')
  @IsString()
  message!: string;
}

/** A page of history, newest first. */
export class CommitPage {
  @Field('Newest first', { type: () => Commit })
  @ValidateNested({ each: true })
  commits!: Commit[];

  @Field('Absent on the last page')
  @IsOptional()
  @IsString()
  next_cursor?: string;

  @Field('The page ended early, at the limit of bytes; a single message may be cut')
  @IsBoolean()
  truncated!: boolean;
}

/**
 * A page of history, at most `maxCommits` and `maxBytes` of it.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, INVALID_ARGUMENTS, PATH_OUTSIDE_ROOTS
 */
export async function gitLog(repository: Repository, input: GitLogInput): Promise<CommitPage> {
  const { maxBytes, maxCommits } = repository.limits;
  const filters = filtersOf(input);
  const paths = pathsInside(repository, input.paths ?? []);
  const filtered = filters.length + paths.length > 0;
  const start = await startOf(repository, input, filtered);
  const count = Math.min(input.max_count, maxCommits);
  const command = ['log', '-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${LOG_FORMAT}`];
  const range = [`--max-count=${count + 1}`, `--skip=${start.skip}`];
  const output = await repository.read([...command, ...range, ...filters, ...start.from, '--', ...paths], {
    codes: [0, 128],
    maxBytes,
  });
  if (output.code !== 0) await explainFailure(repository, output);
  const { stdout, truncated } = output;
  const whole = parseLog(stdout);
  const found = truncated && whole.length === 0 ? [parseCutCommit(stdout)].filter((commit) => commit !== undefined) : whole;
  return pageOf(found, { count, more: truncated, start, exact: !filtered });
}

interface Walk {
  readonly count: number;
  /** git was ended before it had shown all. */
  readonly more: boolean;
  readonly start: LogPosition;
  /** Every commit on the way was shown. */
  readonly exact: boolean;
}

function pageOf(found: readonly LoggedCommit[], { count, more, start, exact }: Walk): CommitPage {
  const page = found.slice(0, count);
  const next = found[count];
  const commits = page.map(({ committed: _, parents, ...commit }) => ({ ...commit, parents: [...parents] }));
  if (next === undefined && !more) return { commits, truncated: false };
  const [first] = page;
  // HEAD may move before the next page is asked for.
  const from = start.from.map((revision) => (revision === 'HEAD' ? (first?.oid ?? revision) : revision));
  const position = positionAfter(page, exact ? next : undefined, { ...start, from });
  return { commits, next_cursor: formatCursor(position), truncated: next === undefined };
}

async function startOf(repository: Repository, { cursor, revision }: GitLogInput, filtered: boolean): Promise<LogPosition> {
  if (cursor !== undefined) return parseCursor(cursor);
  // Unfiltered, the first commit shown is HEAD's own: it need not be asked for.
  if (revision === undefined && !filtered) return { from: ['HEAD'], skip: 0 };
  return { from: [await resolveCommit(repository, revision ?? 'HEAD')], skip: 0 };
}

function filtersOf({ start_timestamp, end_timestamp, pickaxe }: GitLogInput): readonly string[] {
  return [
    ...(start_timestamp === undefined ? [] : [`--since=${requireTime(start_timestamp)}`]),
    ...(end_timestamp === undefined ? [] : [`--until=${requireTime(end_timestamp)}`]),
    ...(pickaxe === undefined ? [] : [...DIFF_FLAGS, `-S${pickaxe}`]),
  ];
}

/** git takes whatever it does not understand for now, so at least an option is told from a time. */
function requireTime(text: string): string {
  if (/^[\p{L}\p{N}@][\p{L}\p{N}@:.,+\-/ ]*$/u.test(text)) return text;
  throw new ToolError('INVALID_ARGUMENTS', `${quoted(text)} is not a time`, {
    hint: 'such as 2026-01-31, 2026-01-31T12:00:00Z or "2 weeks ago"',
  });
}

/** An unborn HEAD is what mostly keeps a log from being shown. */
async function explainFailure(repository: Repository, output: Output): Promise<never> {
  await requireCommits(repository);
  throw failureOf('log', output);
}
