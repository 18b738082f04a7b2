import { Flag, Integer, ListOf, ObjectOf, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { DIFF_FLAGS } from '../repository/diff.ts';
import { failureOf } from '../repository/failures.ts';
import { formatCursor, parseCursor, positionAfter, type LogPosition } from '../repository/log-cursor.ts';
import { logStart, walkFrom } from '../repository/log-start.ts';
import { commitsIn, LOG_FORMAT, parseCutCommit, parseLog, type LoggedCommit } from '../repository/parse/log.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { requireCommits } from '../repository/revision.ts';
import type { Output } from '../repository/runner.ts';
import { logFilters } from './log-filters.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitLogInput extends RepositoryInput {
  @Integer({ min: 1 }) max_count = 10;
  @Text('Previous next_cursor', { optional: true }) cursor?: string;
  @Text('Branch, tag, commit, A..B or A...B; default: HEAD', { optional: true }) revision?: string;
  @Text('ISO 8601, or words such as "2 weeks ago"', { optional: true }) since?: string;
  @Text({ optional: true }) until?: string;
  @Text('As since', { optional: true }) start_timestamp?: string;
  @Text('As until', { optional: true }) end_timestamp?: string;
  @Text('Part of the name or address', { optional: true, maxLength: 1000 }) author?: string;
  @Text('Part of the message', { optional: true, maxLength: 1000 }) grep?: string;
  @TextList('Only commits that touch these', { optional: true }) paths?: string[];
  @Text('Text that a commit adds or removes', { optional: true, minLength: 1, maxLength: 1000 }) pickaxe?: string;
  @Flag('author, grep and pickaxe are regular expressions') regex = false;
  @Flag('Through renames, of one path') follow = false;
  @Flag() first_parent = false;
  @Flag('Count files and lines') stats = false;
}

export class CommitSize {
  @Integer() files!: number;
  @Integer() added!: number;
  @Integer() removed!: number;
}

export class Commit {
  @Text() oid!: string;
  @TextList('Of a merge', { optional: true }) parents?: string[];
  @Text() author!: string;
  @Text() email!: string;
  @Text('ISO 8601') date!: string;
  @Text() message!: string;
  @ObjectOf(() => CommitSize, { optional: true }) stats?: CommitSize;
}

/** A page of history, newest first. */
export class CommitPage {
  @ListOf(() => Commit) commits!: Commit[];
  @Text('Absent on the last page', { optional: true }) next_cursor?: string;
  @Flag('Ended at the limit of bytes') truncated!: boolean;
}

/**
 * A page of history, at most `maxCommits` and `maxBytes` of it. Reports progress in commits, as git finds them.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, INVALID_ARGUMENTS, PATH_OUTSIDE_ROOTS
 */
export async function gitLog(
  repository: Repository,
  input: GitLogInput,
  context?: Pick<RequestContext, 'progress'>,
): Promise<CommitPage> {
  const filters = logFilters(input);
  const paths = pathsInside(repository, input.paths ?? []);
  if (input.follow && paths.length !== 1) throw new ToolError('INVALID_ARGUMENTS', 'follow needs exactly one path');
  const isExact = filters.length + paths.length === 0;
  const start = await startOf(repository, input, isExact);
  const count = Math.min(input.max_count, repository.limits.maxCommits);
  const command = [...commandOf(input), `--max-count=${count + 1}`, ...filters, ...walkFrom(start), '--', ...paths];
  let seen = 0;
  const output = await repository.read(command, {
    codes: [0, 128],
    maxBytes: repository.limits.maxBytes,
    onOutput: (chunk) => context?.progress(Math.min(Math.floor((seen += commitsIn(chunk))), count), count),
  });
  if (output.code !== 0) await explainFailure(repository, output);
  return pageOf(foundIn(output), {
    count,
    maxBytes: repository.limits.maxBytes,
    more: output.truncated,
    start,
    isExact,
    firstParent: input.first_parent,
  });
}

function commandOf({ first_parent, follow, stats }: GitLogInput): readonly string[] {
  return [
    'log',
    '-z',
    '--no-show-signature',
    '--no-color',
    '--encoding=UTF-8',
    `--format=${LOG_FORMAT}`,
    ...(first_parent ? ['--first-parent'] : []),
    ...(follow ? ['--follow'] : []),
    ...(stats ? [...DIFF_FLAGS, '--shortstat'] : []),
  ];
}

function foundIn({ stdout, truncated }: Output): readonly LoggedCommit[] {
  const whole = parseLog(stdout);
  if (!truncated || whole.length > 0) return whole;
  return [parseCutCommit(stdout)].filter((commit) => commit !== undefined);
}

interface Walk {
  readonly count: number;
  readonly maxBytes: number;
  /** git was ended before it had shown all. */
  readonly more: boolean;
  readonly start: LogPosition;
  readonly isExact: boolean;
  readonly firstParent: boolean;
}

function pageOf(found: readonly LoggedCommit[], { count, maxBytes, more, start, ...walk }: Walk): CommitPage {
  const commits = firstThatFit(found.slice(0, count).map(commitOf), maxBytes);
  const shown = found.slice(0, commits.length);
  const next = found[commits.length];
  if (next === undefined && !more) return { commits, truncated: false };
  const [first] = shown;
  // HEAD may move before the next page is asked for.
  const from = start.from.map((revision) => (revision === 'HEAD' ? (first?.oid ?? revision) : revision));
  const position = positionAfter({ ...walk, commits: shown, next, start: { ...start, from } });
  return { commits, next_cursor: formatCursor(position), truncated: commits.length < count };
}

function commitOf({ committed: _, parents, stats, ...commit }: LoggedCommit): Commit {
  return { ...commit, ...(parents.length > 1 && { parents: [...parents] }), ...(stats && { stats: { ...stats } }) };
}

async function startOf(repository: Repository, { cursor, revision }: GitLogInput, isExact: boolean): Promise<LogPosition> {
  if (cursor !== undefined) return parseCursor(cursor);
  // Unfiltered, the first commit shown is HEAD's own: it need not be asked for.
  if (revision === undefined && isExact) return { from: ['HEAD'], not: [], skip: 0 };
  return logStart(repository, revision ?? 'HEAD');
}

/** An unborn HEAD is what mostly keeps a log from being shown. */
async function explainFailure(repository: Repository, output: Output): Promise<never> {
  await requireCommits(repository);
  throw failureOf('log', output);
}
